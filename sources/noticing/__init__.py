"""Work: match sources with notices, ask providers about them, and bring their standing up to date.

``table`` reads a provider's whole table, ``checking`` asks about single works, ``settling`` judges.
"""
