-- Verdicts of leaders on limits in their windows: GlobalLimitState.apply in Java. The newest is believed, grants only grow, and what is
-- called back is given back before it is reported.
--
-- KEYS   of every verdict the prefix of its limit (see algorithm/global.lua); last the incarnation
-- ARGV   [1] nothing [2] the incarnation; then for every verdict, in VERDICT_FORMAT: start of the window and until when it counts, in
--        microseconds, epoch, sequence, used elsewhere, version and limit that it speaks of, granted, keep (KEEP_ALL: nothing is
--        called back), blocked; then length (1) and policy, length (2) and key
-- Reply  nothing
-- Why a script: an account is read, judged and written as one.
if not isCurrent(call('GET', KEYS[#KEYS])) then return staleIncarnation() end

-- Gives back what the region has not spent of its grants and may not keep. A region that is asked to give something back before
-- it was first asked for any has no floor from then on.
local function revoke(prefix, account, start, keep, limit, text)
    local decides = keep ~= KEEP_ALL and not account.floor
    if decides then account.floor = 0 end
    local unspent = grantedTo(account) - (account.taken - account.returned)
    local back = keep ~= KEEP_ALL and unspent > keep and unspent - keep or 0
    if back == 0 and not decides then return end
    account.grantReturned = account.grantReturned + back
    account.unreported = sum(account.unreported, back > 0 and back or 1)
    -- Nobody asks here, so nobody says under which limit: it is the one that the leader knows.
    account.limit = limit
    markOf(prefix, start, text, account, 0, true)
end

local function apply(prefix, name, account, verdict)
    local start, stop, epoch, sequence, usedElsewhere, version, limit, granted, keep, blocked, textAt =
        unpack(VERDICT_FORMAT, verdict)
    local newer = epoch > account.epoch or epoch == account.epoch and sequence > account.sequence
    local more = granted > account.granted
    if more then account.granted, account.refused = granted, 0 end
    if newer then
        account.epoch, account.sequence, account.usedElsewhere, account.refused = epoch, sequence, usedElsewhere, 0
        account.blocked, account.version, account.verdictLimit = blocked == 1, version, limit
        revoke(prefix, account, start, keep, limit, sub(verdict, textAt))
    end
    if newer or more then writeAccount(name, account, stop) end
end

for i = 1, #KEYS - 1 do
    local prefix, verdict = KEYS[i], ARGV[i + 2]
    local start, stop = unpack('>I8I8', verdict)
    local name = accountKey(prefix, start)
    local raw = call('GET', name)
    -- A window that counts no more and of which nothing is kept is not begun again.
    if raw or now < stop then apply(prefix, name, readAccount(raw), verdict) end
end
return 1
