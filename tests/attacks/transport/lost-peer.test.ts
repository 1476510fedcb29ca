import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Handler } from '../../../src/server/exchange.ts'
import type { Output } from '../../../src/server/http.ts'
import { jsonHeaders } from '../../../src/server/responses/responses.ts'
import { startPlatform } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'

const client = fileURLToPath(new URL('support/deaf-client.mjs', import.meta.url))
const streams = 5

test('a connection reset between two writes of one iteration is detected', async () => {
  const outputs: Output[] = []
  let over = 0
  const handler: Handler = ({ request }) => {
    request.signal.addEventListener('abort', () => {
      over += 1
    })
    return { status: 200, headers: jsonHeaders, body: { form: 'stream', start: (output) => outputs.push(output) } }
  }
  const platform = await startPlatform({
    server: {
      limits: { bodyTimeoutMs: 300 },
      extraRoutes: [({ info }) => (info.path === '/held' ? handler : undefined)],
    },
  })
  onTestFinished(() => platform.stop())
  const child = spawn(process.execPath, [client, String(platform.server.port), String(streams)])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  expect(outputs).toHaveLength(streams)

  outputs[0]?.write(Buffer.from('unread, so that its end is a reset'))
  await pause(100)
  // In the same turn as the reset of the streams, right before it.
  setImmediate(() => {
    child.kill('SIGKILL')
    stayBusy(200)
  })
  for (const output of outputs) output.destroy()
  await eventually(() => expect(over).toBe(streams))
})

function stayBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
