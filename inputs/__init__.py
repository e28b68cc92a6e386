"""Signals of each flow, and the readers that fill them from the real world."""
