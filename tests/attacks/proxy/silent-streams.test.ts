import type { ServerHttp2Stream } from 'node:http2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http2Ask, http2Client } from '../../server/raw-client.ts'
import { eventually } from '../../support/eventually.ts'
import { answering, type HostileTenant, startHostileTenant } from './hostile-tenant.ts'

let tenant: HostileTenant

beforeAll(async () => {
  tenant = await startHostileTenant()
})

afterAll(() => tenant?.stop())

/** More than one API behind the platform may have unanswered. */
const streams = 240
const perSession = 80

test('silent log streams of one member do not block other requests', async () => {
  const silent: ServerHttp2Stream[] = []
  tenant.say((stream) => silent.push(stream))
  const sessions = Array.from({ length: streams / perSession }, () => http2Client(tenant.platform.server.port))
  const path = `${tenant.base}/api/v1/namespaces/a/pods/b/log?follow=true`
  for (const session of sessions)
    for (let count = 0; count < perSession; count += 1) http2Ask(session, path).catch(() => {})
  await eventually(() => expect(silent).toHaveLength(streams))
  tenant.say(answering({}))
  const another = http2Client(tenant.platform.server.port)
  expect((await http2Ask(another, `${tenant.base}/api`)).status).toBe(200)
  for (const session of [...sessions, another]) session.destroy()
})
