"""Words of the back office that the shop does not have."""

from __future__ import annotations

# fmt: off
STATES = ("New", "Pending", "Closed", "Cancelled", "On Hold")
TOLD = {"New": "Pending", "Pending": "Processing", "Closed": "Complete", "Cancelled": "Canceled"}
"""What the customer of the shop is told for a state."""
GROUPS = ("General", "Wholesale", "Retailer")
REVIEW_STATUSES = ("Pending", "Approved", "Not Approved")
PRODUCT_STATUSES = ("Enabled", "Disabled")
CARRIERS = ("Gull Post", "Blue Freight", "Harbor Express", "Custom Carrier")
SHIPPING_METHODS = (("Standard", 499), ("Express", 1499), ("Store pickup", 0))
COUPON_WORDS = (
    "SPRING", "SUMMER", "AUTUMN", "WINTER", "WELCOME", "THANKS", "PINE", "HARBOR", "ANCHOR", "LOYAL", "FRIENDS",
    "WEEKEND", "GIFT", "CLEAR", "FLASH", "NEWYEAR", "GARDEN", "KITCHEN", "TEACHER", "COMEBACK", "BUNDLE", "EARLY",
)
COUPON_REASONS = (
    "For subscribers of the newsletter", "For a second order", "End of season sale", "For members of the garden club",
    "Apology for a late parcel", "For the opening of the new store", "For big carts", "Partner campaign",
)
ADMINS = ("Marion Tate", "Ruben Haas", "Ilse Corday", "Tobias Wren", "Paula Nairn")
ORDER_NOTES = (
    "Customer asked for gift wrapping.", "Please leave the parcel with the neighbor.", "Called about the delivery day.",
    "Asked for the invoice by email.", "The address was checked by telephone.", "Wants to pick up after 5 pm.",
)
