"""How a plan is made: the program, its balance, its checks, and changes to it later."""
