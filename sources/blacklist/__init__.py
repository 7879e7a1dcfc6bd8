"""What may not be used, and why: rules on addresses, names and facts of a source. Pure.

``rules`` holds what a rule is and which one wins, ``patterns`` how patterns are read, ``matching``
finds the rules that hit a source, ``judging`` the rules that read facts instead of an address,
``starter`` what an installation begins with. Rulebook section 4.
"""
