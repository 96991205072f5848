"""Leads by Django REST framework: model, serializer, viewset, pagination and ordering as its tutorial has them."""

import jwt
from caller import KEPT, SORTS, WRITABLE, envelope, read_token
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
    """A person's place in an organization."""

    pk = models.CompositePrimaryKey("organization_id", "user_id")
    organization_id = models.BigIntegerField()
    user_id = models.BigIntegerField()
    role = models.TextField()
    seat_active = models.BooleanField()

    class Meta:
        app_label, db_table, managed = "peers", "organization_users", False


class Lead(models.Model):
    """A lead; the sort keys are made by the database."""

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
    qualified_at = models.DateTimeField(null=True)
    disqualified_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
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


class LeadSerializer(serializers.ModelSerializer):
    """A lead as the API gives it."""

    name = serializers.CharField(read_only=True)
    company_name = serializers.CharField(source="company", read_only=True)
    assigned_to_name = serializers.CharField(source="assigned_to.name", default=None, read_only=True)

    class Meta:
        model = Lead
        fields = [
            "id",
            "organization_id",
            *WRITABLE,
            "name",
            "company_name",
            "assigned_to_name",
            *KEPT,
            "created_at",
            "updated_at",
        ]
        read_only_fields = ["id", "organization_id", *KEPT, "created_at", "updated_at"]


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

    serializer_class = LeadSerializer
    authentication_classes = [TokenAuthentication]
    pagination_class = Pages
    filter_backends = [Ordering]

    def get_queryset(self):
        return Lead.objects.filter(organization_id=self.request.user.organization_id).select_related("assigned_to")

    def perform_create(self, serializer):
        serializer.save(organization_id=self.request.user.organization_id)


_router = routers.DefaultRouter(trailing_slash=False)
_router.register("leads", LeadViewSet, basename="lead")
urlpatterns = [path("api/", include(_router.urls))]
