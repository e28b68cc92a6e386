"""Kinds of faults that users of prompt assemblers report, each made small and asked here.

What has a test beside the code that it is about is not asked twice.
"""
