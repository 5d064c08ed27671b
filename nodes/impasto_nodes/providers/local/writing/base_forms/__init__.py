"""The nominative of a noun phrase that an order put in another case.

Each function takes the preposition before the phrase and the phrase; without a preposition "object" for the
object of a verb, "genitive" for what belongs to a noun. It returns ""
where the rules of its language do not decide the form: no form is better than a wrong one.
"""
