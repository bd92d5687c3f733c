"""What reviewers say. Every sentence of a topic names it, and no sentence of another topic does."""

from __future__ import annotations

COMMON_TOPICS = ("color", "size", "smell", "breakage", "price", "delivery", "instructions")

GOOD: dict[str, tuple[str, ...]] = {
    "comfort": (
        "Very comfortable, even after several hours.",
        "I was surprised by how much comfort it gives.",
        "Soft where it should be and comfortable all day.",
    ),
    "noise": (
        "It makes hardly any noise.",
        "No noise at all, my partner sleeps right through it.",
        "Much less noisy than my old one.",
    ),
    "battery": (
        "The battery easily lasts a week.",
        "Battery life is better than promised.",
        "One charge of the battery got me through a long trip.",
    ),
    "cleaning": (
        "Cleaning it takes a minute.",
        "Easy to clean, which matters with two kids.",
        "It came out of the wash perfectly clean.",
    ),
    "weight": ("Not heavy at all.", "It weighs next to nothing.", "Solid without being heavy."),
    "leak": (
        "Not a single leak so far.",
        "I turned it upside down and nothing leaked.",
        "After a month of rain there is still no leak.",
    ),
    "color": (
        "The color is even nicer than in the pictures.",
        "Lovely color, it matches our living room.",
        "The color has not faded a bit.",
    ),
    "size": ("The size is just right.", "True to size.", "A good size for our small flat."),
    "smell": (
        "No strange smell out of the box.",
        "It smells fresh and clear.",
        "The smell of it reminds me of a forest.",
    ),
    "breakage": (
        "I dropped it twice and it never broke.",
        "Not one crack after a year.",
        "My last one broke in a week, this one is still like new.",
    ),
    "price": ("A fair price for what you get.", "Worth twice the price.", "You will not find this at a better price."),
    "delivery": (
        "Delivery took only two days.",
        "It was delivered earlier than announced.",
        "The delivery driver even called ahead.",
    ),
    "instructions": (
        "The instructions are short and clear.",
        "I did not even need the instructions.",
        "Finally instructions with proper drawings.",
    ),
}
BAD: dict[str, tuple[str, ...]] = {
    "comfort": (
        "Uncomfortable after ten minutes.",
        "There is no comfort in this at all.",
        "I wanted comfort and got a sore back.",
    ),
    "noise": (
        "The noise is unbearable.",
        "It got noisy after a week.",
        "It makes a rattling noise that drives me mad.",
    ),
    "battery": (
        "The battery died within a month.",
        "The battery is empty after two hours.",
        "It does not charge the battery fully.",
    ),
    "cleaning": (
        "Impossible to clean properly.",
        "Cleaning the corners is a pain.",
        "It never gets really clean again.",
    ),
    "weight": ("Far too heavy to carry.", "It weighs more than stated.", "Too heavy for my mother to lift."),
    "leak": ("It leaks from the bottom.", "There was a leak on the first day.", "Leaked all over my bag."),
    "color": (
        "The color is nothing like the picture.",
        "The color came off on my hands.",
        "Wrong color, and a dull one.",
    ),
    "size": (
        "The size is off, much smaller than I expected.",
        "I had to send it back for a bigger size.",
        "Check the size before you order.",
    ),
    "smell": (
        "It has a chemical smell that will not go away.",
        "It smells like burnt rubber.",
        "The smell gave me a headache.",
    ),
    "breakage": (
        "It broke after three uses.",
        "There was a crack in it on arrival.",
        "The clip broke off within a week.",
    ),
    "price": (
        "Overrated for the price.",
        "At this price I expected more.",
        "The price went up and the quality went down.",
    ),
    "delivery": (
        "Delivery took three weeks.",
        "It was delivered to the wrong house.",
        "The delivery was late and the box was torn.",
    ),
    "instructions": (
        "The instructions make no sense.",
        "No instructions in the box.",
        "The instructions are printed far too small.",
    ),
}
# fmt: off
GOOD_OPENERS = (
    "I use this {kind} nearly every day.", "Bought this {kind} for my sister and she loves it.",
    "Exactly what I was looking for.", "This is our second one.", "I was sceptical at first, but not any more.",
    "A friend told me about it.", "So happy with this {kind}.", "It does what it should.",
)
BAD_OPENERS = (
    "I wanted to like this {kind}.", "Not what I hoped for.", "I am sending it back.",
    "This {kind} was a disappointment.", "I would not buy it again.", "My neighbor has a better {kind}.",
    "Looks good, works badly.", "I gave it two chances.",
)
GOOD_TITLES = (
    "Great buy", "Love it", "Would buy again", "Better than expected", "Very pleased", "A keeper", "Solid choice",
    "Five happy weeks", "Pleasant surprise", "Recommended",
)
MIDDLE_TITLES = ("It is okay", "Mixed feelings", "Average", "Good and bad", "Could be better", "Does the job")
BAD_TITLES = (
    "Disappointed", "Not for me", "Sent it back", "Save your money", "Expected more", "Regret it",
    "Would not buy again", "Poorly made",
)

NICKNAMES = (
    "Abel", "Adaeze", "Aiko", "Alma", "Anselm", "Arlo", "Astrid", "Basil", "Beatriz", "Bjorn", "Brenna", "Carmela",
    "Cedric", "Chidi", "Corinne", "Dag", "Delphine", "Desmond", "Edda", "Eliseo", "Esme", "Fabian", "Farida",
    "Fergus", "Gemma", "Gideon", "Greta", "Hamza", "Hedda", "Hollis", "Ines", "Ingrid", "Ismael", "Jocelyn", "Juno",
    "Kaito", "Keziah", "Lars", "Lavinia", "Leopold", "Linnea", "Maeve", "Malik", "Marisol", "Milos", "Nadia",
    "Niamh", "Odette", "Olwen", "Omar", "Paloma", "Pascal", "Petra", "Quentin", "Ramona", "Remy", "Rufus",
    "Saoirse", "Selma", "Silvan", "Soren", "Tabitha", "Tomas", "Ursula", "Valentin", "Wanda", "Wilfred", "Xenia",
    "Yolanda", "Yusuf", "Zelda", "Zoran", "gardenfox", "nightreader", "two_kids_mum", "slowcooker", "trailhound",
    "bluebicycle", "mapleleaf88", "quiet_corner",
)
