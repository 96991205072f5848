"""Leads by Django REST framework: model, serializer, viewset, pagination and ordering as in its tutorial."""

import jwt
from caller import KEPT, MADE, NEWEST, NOTE, SORTS, TASK, WRITABLE, envelope, kind, read_token
from django.db import models
from django.db.models.functions import Now
from django.urls import include, path
from rest_framework import authentication, exceptions, filters, pagination, routers, serializers, viewsets
from rest_framework.response import Response

STATUSES = ("new", "contacted", "qualified", "disqualified")


class User(models.Model):
    """A person."""

    name = models.TextField()

    class Meta:
        app_label, db_table, managed = "peers", "users", False


class Seat(models.Model):
    """A user's seat in an organization."""

    pk = models.CompositePrimaryKey("organization_id", "user_id")
    organization_id = models.BigIntegerField()
    user_id = models.BigIntegerField()
    role = models.TextField()
    seat_active = models.BooleanField()

    class Meta:
        app_label, db_table, managed = "peers", "organization_users", False


class Key(models.Model):
    """An API key."""

    name = models.TextField()

    class Meta:
        app_label, db_table, managed = "peers", "api_keys", False


class Made(models.Model):
    """The creator and times of a lead, note or task."""

    created_by = models.ForeignKey(User, models.DO_NOTHING, null=True, db_column="created_by", related_name="+")
    created_by_key = models.ForeignKey(Key, models.DO_NOTHING, null=True, db_column="created_by_key", related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True

    @property
    def created_by_kind(self):
        """The kind of creator."""
        return kind(self.created_by_id, self.created_by_key_id, getattr(self, "created_by_form", False))

    @property
    def created_by_name(self):
        """The creator's name."""
        maker = self.created_by or self.created_by_key
        return maker.name if maker else None


class Lead(Made):
    """A lead; the database generates the sort keys."""

    id = models.BigAutoField(primary_key=True)
    organization_id = models.BigIntegerField()
    first_name = models.CharField(max_length=255)
    last_name = models.CharField(max_length=255, null=True)
    email = models.EmailField(null=True)
    phone = models.CharField(max_length=255, null=True)
    company = models.CharField(max_length=255, null=True)
    job_title = models.CharField(max_length=255, null=True)
    source = models.CharField(max_length=80, default="manual")
    status = models.CharField(max_length=20, default="new", choices=[(word, word) for word in STATUSES])
    notes = models.TextField(null=True)
    tags = models.TextField(null=True)
    assigned_to = models.ForeignKey(User, models.DO_NOTHING, null=True, db_column="assigned_to")
    contact_id = models.BigIntegerField(null=True)
    company_id = models.BigIntegerField(null=True)
    deal_id = models.BigIntegerField(null=True)
    disqualify_reason = models.TextField(null=True)
    external_id = models.CharField(max_length=255, null=True)
    qualified_at = models.DateTimeField(null=True)
    disqualified_at = models.DateTimeField(null=True)
    created_by_form = models.BooleanField(db_default=False)
    name_key = models.GeneratedField(
        expression=models.F("first_name"), output_field=models.TextField(), db_persist=True
    )
    email_key = models.GeneratedField(expression=models.F("email"), output_field=models.TextField(), db_persist=True)

    class Meta:
        app_label, db_table, managed = "peers", "leads", False

    @property
    def name(self):
        """First and last name."""
        return f"{self.first_name} {self.last_name}" if self.last_name else self.first_name


class Activity(Made):
    """The common fields of notes and tasks."""

    id = models.BigAutoField(primary_key=True)
    organization_id = models.BigIntegerField()
    lead = models.ForeignKey(Lead, models.DO_NOTHING, null=True, db_column="lead_id", related_name="%(class)s_set")
    contract_id = models.BigIntegerField(null=True)
    contact_id = models.BigIntegerField(null=True)
    company_id = models.BigIntegerField(null=True)
    deal_id = models.BigIntegerField(null=True)

    class Meta:
        abstract = True


class Note(Activity):
    """A note on a lead or a contract."""

    content = models.TextField()

    class Meta:
        app_label, db_table, managed = "peers", "notes", False


class Task(Activity):
    """A task of a lead or a contract."""

    title = models.CharField(max_length=255)
    description = models.TextField(null=True)
    due_date = models.DateField(null=True)
    due_time = models.TextField(null=True)
    priority = models.CharField(max_length=10)
    assigned_to = models.BigIntegerField(null=True)

    class Meta:
        app_label, db_table, managed = "peers", "tasks", False


class NoteSerializer(serializers.ModelSerializer):
    """A note as in the API."""

    lead_id = serializers.IntegerField()

    class Meta:
        model = Note
        fields = ["id", "organization_id", *NOTE, *MADE]


class TaskSerializer(serializers.ModelSerializer):
    """A task as in the API."""

    lead_id = serializers.IntegerField()

    class Meta:
        model = Task
        fields = ["id", "organization_id", *TASK, *MADE]


class LeadSerializer(serializers.ModelSerializer):
    """A lead as in the API."""

    name = serializers.CharField(read_only=True)
    company_name = serializers.CharField(source="company", read_only=True)
    assigned_to_name = serializers.CharField(source="assigned_to.name", default=None, read_only=True)
    created_by = serializers.IntegerField(source="created_by_id", read_only=True)
    created_by_kind = serializers.CharField(read_only=True)
    created_by_name = serializers.CharField(read_only=True)

    class Meta:
        model = Lead
        fields = ["id", "organization_id", *WRITABLE, "name", "company_name", "assigned_to_name", *KEPT, *MADE]
        read_only_fields = ["id", "organization_id", *KEPT, *MADE]


class OneLeadSerializer(LeadSerializer):
    """A single lead with its newest notes and tasks, the newest last, and their numbers."""

    note_entries = serializers.SerializerMethodField()
    note_count = serializers.SerializerMethodField()
    tasks = serializers.SerializerMethodField()
    task_count = serializers.SerializerMethodField()

    class Meta(LeadSerializer.Meta):
        fields = [*LeadSerializer.Meta.fields, "note_entries", "note_count", "tasks", "task_count"]

    def get_note_entries(self, lead):
        return NoteSerializer(_newest(lead, "notes")[::-1], many=True).data

    def get_note_count(self, lead):
        return _count(lead, "notes", lead.note_set)

    def get_tasks(self, lead):
        return TaskSerializer(_newest(lead, "tasks")[::-1], many=True).data

    def get_task_count(self, lead):
        return _count(lead, "tasks", lead.task_set)


def _newest(lead, entries):
    """The prefetched entries; a new lead has none."""
    return getattr(lead, f"newest_{entries}", [])


def _count(lead, entries, related):
    """The number of entries."""
    return len(_newest(lead, entries)) if len(_newest(lead, entries)) < NEWEST else related.count()


def _prefetch(model, entries):
    """The newest entries of a lead in one query."""
    newest = model.objects.select_related("created_by", "created_by_key").order_by("-id")[:NEWEST]
    return models.Prefetch(f"{model.__name__.lower()}_set", newest, to_attr=f"newest_{entries}")


class TokenAuthentication(authentication.BaseAuthentication):
    """The caller's seat by a bearer token."""

    def authenticate(self, request):
        try:
            user_id, organization_id = read_token(request.headers.get("Authorization", ""))
        except jwt.InvalidTokenError:
            raise exceptions.AuthenticationFailed from None
        seat = Seat.objects.filter(organization_id=organization_id, user_id=user_id, seat_active=True).first()
        if seat is None:
            raise exceptions.AuthenticationFailed
        return seat, None

    def authenticate_header(self, request):
        return "Bearer"


class Pages(pagination.PageNumberPagination):
    """25 records a page, with the total."""

    page_size = 25
    page_size_query_param = "per_page"
    max_page_size = 100

    def get_paginated_response(self, data):
        return Response(envelope(data, self.page.number, self.page.paginator.count))


class Ordering(filters.BaseFilterBackend):
    """sort_by and sort_dir."""

    def filter_queryset(self, request, queryset, view):
        sign = "-" if request.query_params.get("sort_dir") == "DESC" else ""
        key = SORTS[request.query_params.get("sort_by", "name")]
        return queryset.order_by(f"{sign}{key}", f"{sign}id")


class LeadViewSet(viewsets.ModelViewSet):
    """The leads of the caller's organization."""

    authentication_classes = [TokenAuthentication]
    pagination_class = Pages
    filter_backends = [Ordering]

    def get_serializer_class(self):
        return LeadSerializer if self.action == "list" else OneLeadSerializer

    def get_queryset(self):
        related = ("assigned_to", "created_by", "created_by_key")
        mine = Lead.objects.filter(organization_id=self.request.user.organization_id).select_related(*related)
        return mine.prefetch_related(_prefetch(Note, "notes"), _prefetch(Task, "tasks")) if self.detail else mine

    def perform_create(self, serializer):
        seat = self.request.user
        serializer.save(organization_id=seat.organization_id, created_by_id=seat.user_id)


_router = routers.DefaultRouter(trailing_slash=False)
_router.register("leads", LeadViewSet, basename="lead")
urlpatterns = [path("api/", include(_router.urls))]
