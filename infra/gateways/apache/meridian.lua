-- Asks Meridian's limiter about a request (Apache httpd 2.4, mod_lua, lua-socket). An answer that is no 2xx becomes the client's;
-- without an answer in time the request passes.
local socket = require "socket"

local HOST, PORT = "127.0.0.1", 8101
local CONNECT_SECONDS, ANSWER_SECONDS = 0.05, 0.2
local BODY_MAX = 64 * 1024
local PATH = "/api/v1/rate-limit/forward-auth"

-- Headers of the client that the limiter decides by; add those that policies select by.
local FORWARDED = { "X-API-Key", "Authorization", "User-Agent" }
local ANSWERED = {
    ["x-ratelimit-limit"] = "X-RateLimit-Limit",
    ["x-ratelimit-remaining"] = "X-RateLimit-Remaining",
    ["x-ratelimit-reset"] = "X-RateLimit-Reset",
    ["x-ratelimit-policy"] = "X-RateLimit-Policy",
    ["ratelimit"] = "RateLimit",
    ["ratelimit-policy"] = "RateLimit-Policy",
    ["retry-after"] = "Retry-After",
}
local VERDICTS = { [403] = true, [429] = true, [503] = true }

-- Of this thread.
local kept

local function connected()
    local connection = socket.tcp()
    connection:settimeout(CONNECT_SECONDS)
    if not connection:connect(HOST, PORT) then
        connection:close()
        return nil
    end
    connection:setoption("tcp-nodelay", true)
    return connection
end

-- One request and its answer: status, headers, body. Else nil and why: "closed" only where nothing of an answer came.
local function ask(connection, request)
    -- Of each step, which connecting has set lower, and of all of them.
    connection:settimeout(ANSWER_SECONDS)
    connection:settimeout(ANSWER_SECONDS, "t")
    local sent, reason = connection:send(request)
    if not sent then
        return nil, reason
    end
    local line
    line, reason = connection:receive("*l")
    if not line then
        return nil, reason
    end
    local status = tonumber(line:match("^HTTP/1%.%d (%d%d%d)"))
    local headers = {}
    repeat
        line = connection:receive("*l")
        local name, value = (line or ""):match("^([^:]+):%s*(.-)%s*$")
        if name then
            headers[name:lower()] = value
        end
    until not line or line == ""
    local length = tonumber(headers["content-length"] or "0")
    if not line or not status or headers["transfer-encoding"] or not length or length > BODY_MAX then
        return nil, "malformed"
    end
    local body = length > 0 and connection:receive(length) or ""
    if not body then
        return nil, "malformed"
    end
    return { status = status, headers = headers, body = body }
end

local function text(value)
    return (value:gsub("[%c]", " "))
end

local function request_of(r)
    local lines = {
        "GET " .. PATH .. " HTTP/1.1",
        "Host: " .. HOST .. ":" .. PORT,
        -- The client's own headers of these names are not passed on.
        "X-Forwarded-Uri: " .. text(r.unparsed_uri),
        "X-Forwarded-Method: " .. text(r.method),
        "X-Forwarded-For: " .. r.useragent_ip,
        -- The limiter's token, where it requires one: "X-Meridian-Token: ...",
    }
    for _, name in ipairs(FORWARDED) do
        local value = r.headers_in[name]
        if value then
            lines[#lines + 1] = name .. ": " .. text(value)
        end
    end
    return table.concat(lines, "\r\n") .. "\r\n\r\n"
end

local function answer_of(r)
    local request = request_of(r)
    if kept then
        local answer, reason = ask(kept, request)
        if answer then
            return answer
        end
        kept:close()
        kept = nil
        -- A connection that the limiter had closed is replaced once; a limiter that is late is not asked again.
        if reason ~= "closed" then
            return nil
        end
    end
    local connection = connected()
    if not connection then
        return nil
    end
    local answer = ask(connection, request)
    if not answer then
        connection:close()
        return nil
    end
    kept = connection
    return answer
end

function check(r)
    if not r.is_initial_req then
        return apache2.DECLINED
    end
    local answer = answer_of(r)
    if not answer then
        return apache2.DECLINED
    end
    -- These survive the answer of the API, which replaces headers_out.
    for name, shown in pairs(ANSWERED) do
        if answer.headers[name] then
            r.err_headers_out[shown] = answer.headers[name]
        end
    end
    if (answer.headers["connection"] or ""):lower() == "close" and kept then
        kept:close()
        kept = nil
    end
    if not VERDICTS[answer.status] then
        return apache2.DECLINED
    end
    r.status = answer.status
    r.content_type = answer.headers["content-type"]
    r:write(answer.body)
    return apache2.DONE
end
