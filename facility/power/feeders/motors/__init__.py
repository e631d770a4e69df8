"""Motor circuits of cooling units: feeders and branch circuits."""
