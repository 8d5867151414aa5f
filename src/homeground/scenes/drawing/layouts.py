"""What stands where in each kind of room."""

from __future__ import annotations

from collections.abc import Mapping

# A placement: the piece, its wall, and where along the wall its middle lies (0 to 1).
# "free" stands in the room at a share of its depth; "+" and "-" stand beside the first piece;
# "by" stands at a distance in metres from the middle of the first piece, which must be free.
Place = tuple[str, str, float, float]

LAYOUTS: Mapping[str, tuple[Place, ...]] = {
    "bedroom": (
        ("bed", "back", 0.5, 0),
        ("nightstand", "-", 0, 0),
        ("nightstand", "+", 0, 0),
        ("wardrobe", "left", 0.62, 0),
    ),
    "single_bedroom": (
        ("single_bed", "back", 1.0, 0),
        ("shelf", "back", 0.06, 0),
        ("desk", "left", 0.42, 0),
        ("desk_chair", "left", 0.42, 0.62),
    ),
    "living": (
        ("sofa", "back", 0.5, 0),
        ("coffee_table", "free", 0.5, 0.46),
        ("shelf", "left", 0.55, 0),
        ("armchair", "right", 0.4, 0.1),
        ("lamp", "back", 0.94, 0.05),
    ),
    "study": (
        ("desk", "back", 0.55, 0.0),
        ("desk_chair", "free", 0.55, 0.56),
        ("shelf", "left", 0.6, 0),
        ("armchair", "right", 0.4, 0.05),
    ),
    "kitchen": (
        ("counter", "back", 0.5, 0),
        ("fridge", "-", 0, 0),
        ("cooker", "+", 0, 0),
        ("dining_table", "free", 0.5, 0.34),
        ("chair", "free", 0.36, 0.52),
        ("chair", "free", 0.64, 0.52),
    ),
    "bathroom": (
        ("tub", "right", 0.6, 0),
        ("basin", "back", 0.22, 0),
        ("seat", "left", 0.4, 0),
    ),
    "washroom": (
        ("seat", "back", 0.12, 0),
        ("basin", "right", 0.25, 0),
    ),
    "hallway": (
        ("wardrobe", "right", 0.7, 0),
        ("shelf", "left", 0.85, 0),
        ("chair", "right", 0.05, 0.02),
    ),
    "dining": (
        ("dining_table", "free", 0.5, 0.42),
        ("chair", "by", -0.36, 0.56),
        ("chair", "by", 0.36, 0.56),
        ("desk_chair", "by", -0.36, -0.56),
        ("desk_chair", "by", 0.36, -0.56),
        ("shelf", "left", 0.8, 0),
        ("lamp", "back", 0.96, 0.05),
    ),
    "twin": (
        ("single_bed", "back", 0.04, 0),
        ("nightstand", "+", 0, 0),
        ("single_bed", "back", 0.96, 0),
        ("shelf", "back", 0.52, 0),
        ("desk", "right", 0.04, 0),
        ("desk_chair", "right", 0.1, 0.62),
    ),
    "open": (
        ("dining_table", "free", 0.78, 0.62),
        ("chair", "by", -0.36, 0.56),
        ("chair", "by", 0.36, 0.56),
        ("desk_chair", "by", -0.36, -0.56),
        ("desk_chair", "by", 0.36, -0.56),
        ("sofa", "back", 0.14, 0),
        ("coffee_table", "free", 0.24, 0.56),
        ("shelf", "left", 0.5, 0),
        ("armchair", "right", 0.06, 0.1),
        ("lamp", "back", 0.46, 0.05),
    ),
    "studio": (
        ("bed", "back", 0.16, 0),
        ("nightstand", "+", 0, 0),
        ("wardrobe", "back", 0.82, 0),
        ("sofa", "right", 0.34, 0),
        ("coffee_table", "free", 0.66, 0.3),
        ("desk", "left", 0.2, 0),
        ("desk_chair", "left", 0.2, 0.62),
    ),
}

RUGS: Mapping[str, tuple[float, float, float, float]] = {
    "bedroom": (0.5, 0.3, 2.2, 1.3),
    "living": (0.5, 0.42, 2.2, 1.5),
    "study": (0.55, 0.42, 1.7, 1.2),
    "studio": (0.66, 0.3, 2.0, 1.4),
    "bathroom": (0.42, 0.5, 0.9, 0.6),
    "hallway": (0.5, 0.5, 0.7, 1.8),
    "dining": (0.5, 0.42, 2.4, 1.9),
    "twin": (0.5, 0.32, 1.4, 0.9),
    "open": (0.24, 0.5, 2.4, 1.7),
}


# Where a plant stands: x from -1 (left) to 1, z from 0 (front) to 1.
PLANTS: Mapping[str, tuple[float, float]] = {
    "bedroom": (1, 0),
    "living": (-1, 1),
    "study": (1, 1),
    "studio": (1, 1),
    "hallway": (-1, 1),
    "dining": (1, 0),
    "open": (-1, 1),
}
