--:name placement_list :many
--:doc The map of organizations to cells since a time; placements_placed.
select placed.organization_id, placed.cell, placed.state, placed.placed_at
from app.placements(cast(:since as timestamptz)) as placed;

--:name placement_holder :scalar
--:doc The organization with a key, token, logo or slug in this cell; unique indexes.
select app.holder(cast(:kind as text), cast(:key as text));

--:name cell_beat :scalar
--:doc The last second of home that arrived in this cell; home may write it.
select app.cell_beat(cast(:write as boolean));

--:name name_claim :scalar
--:doc Claim a slug in home for a minute; false if another organization did; primary key.
select app.name_claim(cast(:kind as text), cast(:name as text), cast(:organization_id as bigint));
