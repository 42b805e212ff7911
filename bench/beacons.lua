-- The requests of the beacon benchmarks, for wrk: `-- read COUNT`, `-- list [QUERY ...]`, `-- post PREFIX`.
local mode, argument
local queries = {}
local at = 0

function init(args)
  mode, argument = args[1], args[2]
  for index = 2, #args do queries[index - 1] = args[index] end
  wrk.headers["Content-Type"] = mode == "post" and "application/json" or nil
end

local function read()
  return wrk.format("GET", string.format("/beacon?id=beacon-%09d", math.random(1, tonumber(argument))))
end

local function list()
  if #queries == 0 then return wrk.format("GET", "/beacons") end
  at = at % #queries + 1
  return wrk.format("GET", "/beacons?" .. queries[at])
end

local function post()
  at = at + 1
  local body = string.format(
    '{"id":"%s-%09d","description":"Door","longDescription":"North door, above the frame",' ..
      '"txPower":-59,"lat":%.6f,"long":%.6f}',
    argument, at, 51.9 + at / 1e6, 4.4 + at / 1e6)
  return wrk.format("POST", "/beacon", nil, body)
end

local requests = { read = read, list = list, post = post }

function request()
  return requests[mode]()
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'result {"requests":%d,"seconds":%f,"failed":%d,"p99Ms":%f}\n',
    summary.requests, summary.duration / 1e6,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(99) / 1e3))
end
