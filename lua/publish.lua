-- Publishes a message of a user's. On a cluster any node may publish, but only those of one node arrive in their order:
-- so it is the node of the limiter, which publishes everything else there is to say about it.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: channel message
--
-- Returns the number of receivers on that node

return redis.call('PUBLISH', ARGV[1], ARGV[2])
