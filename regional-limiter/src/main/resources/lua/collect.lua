-- Takes accounts that are due to be reported. They are due again a little later, unless reported.lua says that they were: so what
-- an instance took and did not report before it died, another takes.
--
-- KEYS   the dirty accounts of shards, {sN}d; last the incarnation
-- ARGV   [1] how many at most, as text [2] the incarnation
-- Reply  the region's time in microseconds (8 bytes) and for each account
--          its numbers in DUE_FORMAT: the number of its key, start of the window in microseconds, incarnation, taken, returned, limit
--          where it is not the policy's, grant returned, refused, floor (FLOOR_UNDECIDED before its first request), requested;
--          length (1) and policy, length (2) and key;
--          a handle for reported.lua
-- Why a script: an account that changes while it is reported must be reported again.
if not isCurrent(call('GET', KEYS[#KEYS])) then return staleIncarnation() end

local nowMillis = (now - now % 1000) / 1000
local claim = pack('>I8', nowMillis + CLAIM)
local claimed = string.format('%.0f', nowMillis + CLAIM)
local collected = { pack('>I8', now) }

-- The members of a set that are due. Nothing waits for longer than a claim: what seems to was marked before the clock was set back.
local function dueOf(dirty, max)
    local due = call('ZRANGEBYSCORE', dirty, '-inf', string.format('%.0f', nowMillis), 'LIMIT', 0, max)
    if #due < max then
        local ahead = call('ZRANGEBYSCORE', dirty, '(' .. claimed, '+inf', 'LIMIT', 0, max - #due)
        for i = 1, #ahead do due[#due + 1] = ahead[i] end
    end
    return due
end

local function collect(index, dirty, member)
    local name = accountOf(dirty, member)
    local raw = call('GET', name)
    if not raw then
        call('ZREM', dirty, member)
        return
    end
    local account = readAccount(raw)
    account.due, account.unreported = CLAIMED, 0
    call('SET', name, packAccount(account), 'KEEPTTL')
    call('ZADD', dirty, claimed, member)
    local seconds, incarnation = unpack('>I5I8', member, HASH_BYTES + 1)
    collected[#collected + 1] = pack(DUE_FORMAT, index, seconds * 1000000, incarnation, account.taken,
        account.returned, account.limit, account.grantReturned, account.refused, account.floor or FLOOR_UNDECIDED, account.requested)
    collected[#collected + 1] = sub(member, HASH_BYTES + 14)
    collected[#collected + 1] = member .. claim
end

local max = tonumber(args)
for i = 1, #KEYS - 1 do
    if max <= 0 then break end
    local dirty = KEYS[i]
    local due = dueOf(dirty, max)
    max = max - #due
    for j = 1, #due do collect(i, dirty, due[j]) end
    if #due > 0 then call('PEXPIRE', dirty, string.format('%.0f', UNREPORTED_GRACE)) end
end
return collected
