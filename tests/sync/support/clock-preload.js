// Loaded into the syncer before anything else: offsets its clock by the value in a file, which is read continuously.
import { readFileSync } from 'node:fs'

const file = process.env.TENANT_TEST_CLOCK
let offsetMs = 0

function readOffset() {
  try {
    offsetMs = file === undefined ? 0 : Number(readFileSync(file, 'utf8'))
  } catch {
    offsetMs = 0
  }
}

readOffset()
setInterval(readOffset, 50).unref()
const SystemDate = Date
const now = () => SystemDate.now() + offsetMs
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, parts) => (parts.length === 0 ? new target(now()) : Reflect.construct(target, parts)),
  get: (target, member) => (member === 'now' ? now : Reflect.get(target, member)),
})
