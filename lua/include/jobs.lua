--- @include "tickets"
--- @include "clients"

-- Jobs with a name: those of the engine's own API, which can be looked at and cancelled from any process. Two fields of
-- one hash for each, from its submission to its end:
--   t<client:seq>   priority:weight:expiration:submitted:details, where details are attempt:bytes of the id:id and data,
--                   or `x` for a ticket that was cancelled while its process could not be told
--   i<id>           client:seq
-- Nothing of it is read or written while a limiter never had such jobs.

-- The functions of `open_jobs` once it was called, else nil.
local jobs

--- Makes those functions. Most scripts need none of them, and making them takes time.
local function open_jobs()
  if jobs then return jobs end
  jobs = {}
  --- @inline "named-jobs"
  return jobs
end

--- Forgets tickets that have ended, by `client:seq`.
local function forget_jobs(indexes)
  if S.rb_named then open_jobs().forget(indexes) end
end
