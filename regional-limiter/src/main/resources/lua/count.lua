-- The script that counts: groups of requests, one after another, each all or nothing. RegionalCounter in Java, over many groups.
--
-- KEYS   see lib/call.lua
-- ARGV   [1] 1 byte, 1 if a key may come twice, and the requests, one after another, each in REQUEST_FORMAT (ScriptConstants):
--          the algorithm; CONTINUES more if another request of the same group follows, GLOBAL more if the limit is global
--          the kind (RequestKind); SHADOW more if the limit refuses nobody
--          cost; capacity; of a bucket units per token, units per tick and tick in microseconds, else the window in microseconds (0
--          for a calendar month), 0 and 0; of a lease ahead the wish and its horizon in microseconds, of a refund the time of taking
--          and 0, else 0 and 0
--          of a global limit, more: see algorithm/global.lua
--        [2] the incarnation of the region's data that the caller knows, if it knows one: 8 bytes
-- Reply  one string: the region's time in microseconds (8 bytes), then for every request
--          in REPLY_FORMAT: refused 0, admitted 1; remaining, reset and wait in microseconds (NEVER: for ever), units of a lease
--          ahead and its end; of a global limit in SHARED_REPLY_FORMAT, also what this region took and gave back, what the others
--          used, and what it was granted
--        or the error STALEINCARNATION if the region's data is of another incarnation
-- Why a script: see lib/call.lua
local values = call('MGET', spread(KEYS))
if ARGV[2] and not isCurrent(values[#KEYS]) then return staleIncarnation() end

-- All requests as tables. Fields of one algorithm stand beside those of others: each reads its own.
local function decode()
    local requests, pos, index, stop = {}, 2, 1, #args
    while pos <= stop do
        local form, kind, cost, capacity, first, second, third, fourth, fifth, next = unpack(REQUEST_FORMAT, args, pos)
        local request = { algorithm = form % CONTINUES, continues = form % GLOBAL >= CONTINUES, kind = kind % SHADOW,
            shadow = kind >= SHADOW, index = index, cost = cost, capacity = capacity, window = first, perToken = first, perTick = second, tick = third,
            taken = fourth, wish = fourth, horizon = fifth }
        local isGlobal = form >= GLOBAL
        pos = isGlobal and decodeGlobal(request, next) or next
        index = index + ((request.algorithm == SLIDING_WINDOW_LOG and not isGlobal) and 2 or 1)
        requests[#requests + 1] = request
    end
    return requests
end

local function regionalCounter(request, raw, kind)
    local key, algorithm = KEYS[request.index], request.algorithm
    if algorithm == FIXED_WINDOW then return fixedWindow(key, raw, request, kind) end
    if algorithm == SLIDING_WINDOW_LOG then return slidingWindow(key, raw, request, kind, KEYS[request.index + 1]) end
    if algorithm == SLIDING_WINDOW_COUNTER then return slidingWindow(key, raw, request, kind) end
    if algorithm == SLIDING_WINDOW_ESTIMATE then return slidingWindowEstimate(key, raw, request, kind) end
    return bucket(key, raw, request, kind)
end

local function read(index)
    local raw
    if written then raw = written[KEYS[index]] end
    if raw == nil then raw = values[index] end
    return raw
end

local function reset(request)
    local index = request.index
    call('DEL', KEYS[index])
    if request.algorithm == SLIDING_WINDOW_LOG then call('DEL', KEYS[index + 1]) end
    if written then written[KEYS[index]] = false end
end

-- Whether a take of the group that begins with this request is refused; shadow takes are not asked.
local function isRefused(requests, first)
    local i = first
    repeat
        local request = requests[i]
        if request.kind <= TAKE_AHEAD and not request.shadow then
            local admitted
            if request.sharing then
                admitted = globalCounter(KEYS[request.index], request, PEEK, false)
            else
                admitted = regionalCounter(request, read(request.index), PEEK)
            end
            if admitted == 0 then return true end
        end
        i = i + 1
    until not request.continues
    return false
end

local function reply(request, kind)
    if request.sharing then
        return pack(SHARED_REPLY_FORMAT, globalCounter(KEYS[request.index], request, kind, true))
    end
    local raw = false
    if kind == RESET then
        reset(request)
        kind = PEEK
    else
        raw = read(request.index)
    end
    return pack(REPLY_FORMAT, regionalCounter(request, raw, kind))
end

local requests, replies = decode(), { pack('>I8', now) }
local within, refused = false, false
for i = 1, #requests do
    local request = requests[i]
    -- A group of one needs no second look.
    if not within then refused = request.continues and isRefused(requests, i) end
    within = request.continues
    local kind = request.kind
    if refused and kind <= TAKE_AHEAD then kind = PEEK end
    replies[i + 1] = reply(request, kind)
end
return table.concat(replies)
