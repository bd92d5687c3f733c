"""Words the catalogue is made of: categories, kinds of product, qualifiers, colors, materials, brand syllables.

Names hold no color and no material, so that somebody who searches for those finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Leaf:
    """A category that holds products."""

    slug: str
    name: str
    kinds: tuple[str, ...]
    low: int
    """Lowest usual price in whole dollars; the highest is `high`."""
    high: int
    materials: tuple[str, ...]
    topics: tuple[str, ...]
    """What its reviews talk about beside the common topics."""


@dataclass(frozen=True)
class Top:
    """A category of the navigation's first level."""

    slug: str
    name: str
    leaves: tuple[Leaf, Leaf, Leaf]


# fmt: off
METAL = ("Stainless Steel", "Aluminum", "Carbon Steel")
FABRIC = ("Cotton", "Linen", "Polyester", "Wool")
PLASTIC = ("Recycled Plastic", "Silicone", "ABS Plastic")
WOOD = ("Oak", "Bamboo", "Beech")
GLASS = ("Borosilicate Glass", "Ceramic", "Stoneware")

CATEGORIES: tuple[Top, ...] = (
    Top("kitchen-dining", "Kitchen & Dining", (
        Leaf("coffee-tea", "Coffee & Tea", ("Pour Over Kettle", "Coffee Press", "Coffee Grinder", "Tea Infuser",
            "Milk Frother"), 12, 120, METAL + GLASS, ("noise", "cleaning")),
        Leaf("cookware", "Cookware", ("Frying Pan", "Stock Pot", "Sauce Pan", "Roasting Tray", "Griddle Pan"), 18,
            160, METAL + GLASS, ("weight", "cleaning")),
        Leaf("food-storage", "Food Storage", ("Bread Box", "Spice Jar Rack", "Lunch Container", "Storage Canister",
            "Salad Keeper"), 8, 70, PLASTIC + GLASS + WOOD, ("leak", "cleaning")),
    )),
    Top("home-living", "Home & Living", (
        Leaf("lighting", "Lighting", ("Desk Lamp", "Floor Lamp", "Night Light", "Reading Lamp", "String Light Set"),
            14, 140, METAL + WOOD, ("battery", "noise")),
        Leaf("bedding", "Bedding", ("Bed Pillow", "Throw Blanket", "Duvet Cover", "Mattress Topper", "Sheet Set"),
            16, 150, FABRIC, ("comfort", "cleaning")),
        Leaf("cleaning-laundry", "Cleaning & Laundry", ("Spray Mop", "Push Broom", "Laundry Basket", "Drying Rack",
            "Dust Brush"), 9, 80, PLASTIC + METAL, ("weight", "leak")),
    )),
    Top("electronics", "Electronics", (
        Leaf("headphones", "Headphones", ("Over Ear Headset", "Sport Earbud Set", "Gaming Headset",
            "Studio Monitor Headset"), 25, 240, PLASTIC + METAL, ("battery", "comfort", "noise")),
        Leaf("speakers", "Speakers", ("Wireless Speaker", "Shower Speaker", "Bookshelf Speaker", "Party Speaker"),
            22, 260, PLASTIC + WOOD, ("battery", "noise")),
        Leaf("power-charging", "Power & Charging", ("Power Bank", "Wall Charger", "Charging Dock", "Car Charger",
            "Travel Adapter"), 10, 90, PLASTIC + METAL, ("battery", "weight")),
    )),
    Top("beauty-care", "Beauty & Personal Care", (
        Leaf("skin-care", "Skin Care", ("Face Cream", "Hand Lotion", "Clay Mask", "Facial Cleanser", "Lip Balm"),
            6, 60, ("Shea Butter", "Aloe Vera", "Jojoba Oil", "Oat Extract"), ("leak", "comfort")),
        Leaf("hair-care", "Hair Care", ("Hair Dryer", "Detangling Brush", "Curling Iron", "Hair Clipper",
            "Scalp Massager"), 8, 130, PLASTIC + METAL, ("noise", "weight")),
        Leaf("oral-care", "Oral Care", ("Sonic Toothbrush", "Water Flosser", "Toothbrush Holder",
            "Tongue Cleaner"), 7, 110, PLASTIC + METAL, ("battery", "noise")),
    )),
    Top("clothing-bags", "Clothing & Bags", (
        Leaf("jackets", "Jackets", ("Rain Jacket", "Fleece Jacket", "Quilted Jacket", "Trail Jacket"), 35, 210,
            ("Nylon", "Polyester", "Wool"), ("comfort", "leak")),
        Leaf("shoes", "Shoes", ("Running Shoe", "Walking Shoe", "House Slipper", "Hiking Boot"), 24, 190,
            ("Leather", "Mesh", "Suede"), ("comfort", "weight")),
        Leaf("bags", "Bags", ("Day Backpack", "Tote Bag", "Sling Bag", "Weekend Duffel", "Laptop Sleeve"), 18, 170,
            ("Canvas", "Leather", "Nylon"), ("comfort", "weight")),
    )),
    Top("sports-outdoors", "Sports & Outdoors", (
        Leaf("camping", "Camping", ("Camp Chair", "Sleeping Bag", "Camp Lantern", "Picnic Cooler", "Dome Tent"),
            20, 230, ("Ripstop Nylon", "Aluminum", "Polyester"), ("comfort", "leak", "weight")),
        Leaf("fitness", "Fitness", ("Yoga Mat", "Resistance Band Kit", "Foam Roller", "Jump Rope",
            "Kettle Weight"), 9, 95, ("Natural Rubber", "Cork", "Neoprene"), ("comfort", "weight")),
        Leaf("cycling", "Cycling", ("Bike Light", "Bike Helmet", "Floor Pump", "Saddle Bag", "Phone Mount"), 12,
            130, PLASTIC + METAL, ("battery", "comfort")),
    )),
    Top("toys-games", "Toys & Games", (
        Leaf("board-games", "Board Games", ("Strategy Board Game", "Word Tile Game", "Family Card Game",
            "Dice Tower Game"), 11, 75, ("Cardboard", "Beech", "Linen Paper"), ("noise", )),
        Leaf("building-sets", "Building Sets", ("Marble Run", "Train Track Set", "Castle Block Set",
            "Gear Builder Kit"), 14, 120, ("Beech", "ABS Plastic", "Birch"), ("noise", "battery")),
        Leaf("plush-toys", "Plush Toys", ("Plush Bear", "Plush Rabbit", "Plush Whale", "Hand Puppet"), 8, 55,
            ("Cotton", "Velour", "Polyester"), ("comfort", "cleaning")),
    )),
    Top("garden-pets", "Garden & Pets", (
        Leaf("garden-tools", "Garden Tools", ("Pruning Shear", "Garden Hose", "Hand Trowel", "Leaf Rake",
            "Watering Can"), 9, 95, METAL + WOOD, ("weight", "leak")),
        Leaf("planters", "Planters", ("Hanging Planter", "Window Planter", "Herb Planter", "Patio Planter"), 10,
            110, ("Terracotta", "Fiberstone", "Cedar"), ("leak", "weight")),
        Leaf("pet-supplies", "Pet Supplies", ("Dog Bed", "Cat Tree", "Pet Fountain", "Dog Leash", "Cat Scratcher"),
            10, 140, ("Sisal", "Canvas", "Recycled Plastic"), ("comfort", "noise")),
    )),
)

QUALIFIERS = (
    "Quiet", "Compact", "Everyday", "Classic", "Premium", "Folding", "Portable", "Slim", "Adjustable", "Gentle",
    "Deluxe", "Essential", "Modern", "Sturdy", "Original", "Nordic", "Coastal", "Urban", "Alpine", "Meadow",
    "Twilight", "Heritage", "Signature", "Featherlight",
)
VARIANTS = ("", "Mini", "Large", "Plus", "Duo", "Max", "II", "Twin Pack", "Gift Edition", "Travel Edition")

COLORS = (
    "Black", "White", "Gray", "Navy Blue", "Forest Green", "Sage Green", "Burgundy Red", "Mustard Yellow", "Sand",
    "Charcoal", "Teal", "Coral", "Lavender", "Ivory",
)

BRAND_STARTS = (
    "Quill", "Tarn", "Ost", "Velm", "Brind", "Fenn", "Hask", "Jarr", "Kest", "Lumm", "Mard", "Norr", "Pell", "Ravn",
    "Skel", "Thorv", "Ulm", "Wend", "Yarr", "Zeph", "Dorr", "Cald", "Brae", "Gild", "Harth", "Ivar", "Embr", "Sund",
    "Oak", "Marl", "Alv", "Bexl", "Corv", "Drey", "Esk", "Falk", "Holm", "Ist", "Kaer", "Lind", "Nym", "Orr",
    "Perr", "Quen", "Roth", "Tib", "Und", "Varn", "Wych", "Zorn",
)
BRAND_ENDS = (
    "mere", "wick", "holt", "ora", "by", "esta", "stad", "ova", "ane", "ikko", "ward", "una", "ison", "ette",
)

FEATURES = (
    "It is waterproof and easy to wipe down.", "The handle stays cool and the base does not slip.",
    "Made for small apartments and daily use.", "Assembled in minutes without a screwdriver.",
    "Comes with a spare part and a drawstring pouch.", "Designed by a small studio and tested for five years.",
    "It is lightweight, washable and made to last.", "A reinforced edge keeps its shape over time.",
    "Packs flat, so it fits into a drawer.", "Ergonomic, durable and suitable as a housewarming present.",
    "With a two year warranty.", "The finish resists scratches and fingerprints.",
)

FIRST_NAMES = (
    "Clara", "Dana", "Emil", "Grace", "Hugo", "Irene", "Jonas", "Leila", "Martin", "Nora", "Oscar", "Priya", "Rosa",
    "Samuel", "Theo", "Vera",
)
LAST_NAMES = (
    "Abbott", "Bergman", "Castell", "Dorsey", "Ellery", "Farrow", "Greer", "Halloran", "Ives", "Keating",
    "Lindqvist", "Moreau", "Okafor", "Pruitt", "Sandoval", "Whitlock",
)
STREETS = (
    "Juniper Lane", "Mill Road", "Harbor Street", "Fourth Avenue", "Orchard Way", "Chestnut Court",
    "Lakeview Drive", "Foundry Street", "Willow Crescent", "Station Road",
)
CITIES = (
    ("Albany", "NY", "122"), ("Boise", "ID", "837"), ("Dayton", "OH", "454"), ("Duluth", "MN", "558"),
    ("Eugene", "OR", "974"), ("Lowell", "MA", "018"), ("Macon", "GA", "312"), ("Provo", "UT", "846"),
    ("Reno", "NV", "895"), ("Salem", "OR", "973"), ("Toledo", "OH", "436"), ("Tucson", "AZ", "857"),
)
"""City, state, first digits of the zip code."""
NOTES = (
    "for the holidays", "birthday idea", "wait for a lower price", "compare with the other one",
    "gift for my sister", "for the cabin", "ask about the warranty",
)
NEWSLETTER_TOPICS = ("New Arrivals", "Weekly Deals", "Product Tips", "Restock Alerts", "Community Stories")
FREQUENCIES = ("Daily", "Weekly", "Monthly", "Quarterly")
CONTACT_SUBJECTS = ("General question", "Order status", "Return or refund", "Damaged item", "Product advice")
SHIPPING_METHODS = (
    ("standard", "Standard (4-6 days)", 499), ("express", "Express (2 days)", 1499), ("pickup", "Store pickup", 0),
)
"""Key, label, cents."""
