"""What the notification endpoints answer."""

from pipeline.http.shapes import COUNT, OBJECT, TIMESTAMP, Record, Shape

NOTIFICATION = Record(
    "notification",
    "What a user is told of: an interview submitted, a lead captured.",
    data=OBJECT,
    updated_at=TIMESTAMP,
)
ALL_READ = Shape("AllRead", "How many notifications were not read yet.", read=COUNT)
