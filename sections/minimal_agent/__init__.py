"""The sections and fragments of minimal_agent: a stable base and a budgeted turn context."""
