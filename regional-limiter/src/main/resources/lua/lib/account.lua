-- Escrow and usage account of the region for one window of a global limit: WindowAccount in Java.
--
-- KEYS   the account, one cmsgpack array: see writeAccount. Nobody outside of these scripts reads it
--        {sN}d, the accounts of a shard that are to be reported, by the time at which they are due: a member is the hash of the
--        limit's prefix (HASH_BYTES), the start of the window in seconds (5), its incarnation (8), length (1) and policy, length
--        (2) and key.
--        The set outlives an incarnation, where the data does
-- Why here: several scripts read and write accounts.
-- Milliseconds that an account outlives its window if it was reported, and if it was not, which is longer than Kafka may be away.
local GRACE, UNREPORTED_GRACE = KEPT / 1000, 93600000
local DIRTY_MAX = 100000

-- The incarnation as accounts and sets name it; where incarnations are not told apart, the first.
local INCARNATION = ARGV[2] and #ARGV[2] == 8 and ARGV[2] or pack('>I8', 1)

local function accountKey(prefix, start)
    return prefix .. 'u' .. pack('>I5', start / 1000000)
end

-- The sum, as far as an account counts.
local function sum(number, more)
    return number + more < ACCOUNT_MAX and number + more or ACCOUNT_MAX
end

-- All that the region may spend: its floor and its grants, less what it has given back.
local function grantedTo(account)
    return (account.floor or 0) + account.granted - account.grantReturned
end

-- `due` is when it is to be reported, `unreported` how much has changed since it last was; `limit` is there where it is not the
-- policy's. Of the last verdict: epoch, sequence, used elsewhere, how much of that is applied to the counter of an algorithm without
-- windows, whether it blocks, and the version and limit that it speaks of. In escrow: granted, grant returned, refused and requested
-- cost, and the floor once it is decided.
local function readAccount(raw)
    if not raw then
        return { taken = 0, returned = 0, unreported = 0, due = CLEAN, limit = 0, epoch = 0, sequence = 0, usedElsewhere = 0,
            applied = 0, blocked = false, version = 0, verdictLimit = 0, granted = 0, grantReturned = 0, refused = 0,
            requested = 0 }
    end
    local account = {}
    account.taken, account.returned, account.unreported, account.due, account.limit, account.epoch, account.sequence,
        account.usedElsewhere, account.applied, account.blocked, account.version, account.verdictLimit, account.granted,
        account.grantReturned, account.refused, account.requested, account.floor = spread(cmsgpack.unpack(raw))
    return account
end

-- A floor that is not decided is not there, and so the last of the array.
local function packAccount(account)
    return cmsgpack.pack({ account.taken, account.returned, account.unreported, account.due, account.limit, account.epoch,
        account.sequence, account.usedElsewhere, account.applied, account.blocked, account.version, account.verdictLimit,
        account.granted, account.grantReturned, account.refused, account.requested, account.floor })
end

local function writeAccount(name, account, untilMicros)
    local rest = untilMicros > now and untilMicros - now or 0
    local grace = account.due == CLEAN and GRACE or UNREPORTED_GRACE
    call('SET', name, packAccount(account), 'PX', string.format('%.0f', (rest - rest % 1000) / 1000 + grace))
end

-- Has an account reported: at once if what changed is more than a small share of what remains, else a little later. Beyond a
-- bound it is not, until the next change.
local function mark(dirty, member, account, remaining, urgent)
    local due = (urgent or account.unreported * MATTERS_PART >= remaining) and NOW or LATER
    if account.due >= due then return end
    if account.due == CLEAN and call('ZCARD', dirty) >= DIRTY_MAX then return end
    local at = (now - now % 1000) / 1000 + (due == LATER and HEARTBEAT or 0)
    call('ZADD', dirty, string.format('%.0f', at), member)
    call('PEXPIRE', dirty, string.format('%.0f', UNREPORTED_GRACE))
    account.due = due
end

-- The same for the account of a limit in the window from `start`; `text` is its policy and key.
local function markOf(prefix, start, text, account, remaining, urgent)
    local dirty = string.match(prefix, '^{s%d+}') .. DIRTY_SUFFIX
    local member = sub(prefix, #dirty) .. pack('>I5', start / 1000000) .. INCARNATION .. text
    mark(dirty, member, account, remaining, urgent)
end

-- The key of the account that a member of a set names.
local function accountOf(dirty, member)
    return sub(dirty, 1, -2) .. sub(member, 1, HASH_BYTES) .. 'u' .. sub(member, HASH_BYTES + 1, HASH_BYTES + 5)
end
