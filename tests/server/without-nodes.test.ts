import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'
import { sendJson } from '../support/network/send-json.ts'

let server: RunningApiServer
let port: number

const place = '/api/v1/namespaces/default'

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
  port = Number(new URL(server.url).port)
  await sendJson(port, 'POST', `${place}/serviceaccounts`, { metadata: { name: 'default' } })
  const pod = (name: string, spec: object) => sendJson(port, 'POST', `${place}/pods`, { metadata: { name }, spec })
  const container = (name: string) => ({ name, image: 'i' })
  await pod('one', { containers: [container('c')] })
  await pod('two', { containers: [container('a'), container('b')], initContainers: [container('i')] })
  await pod('placed', { containers: [container('c')], nodeName: 'gone' })
  const ports = [{ port: 80 }]
  await sendJson(port, 'POST', `${place}/services`, { metadata: { name: 's' }, spec: { ports } })
  await sendJson(port, 'POST', `${place}/endpoints`, { metadata: { name: 's' } })
})

afterAll(() => server.stop())

describe('a server without nodes', () => {
  it('lists the subresources of Pods', async () => {
    const { body } = await sendJson(port, 'GET', '/api/v1')
    const names = (body.resources as readonly { readonly name: string }[]).map(({ name }) => name)
    const ways = ['nodes/proxy', 'pods/attach', 'pods/exec', 'pods/log', 'pods/portforward', 'pods/proxy']
    expect(names).toEqual(expect.arrayContaining([...ways, 'services/proxy']))
  })

  it('a Pod that waits for a node has no log', async () => {
    const headers = { Authorization: 'Bearer admin-token' }
    const { status, text } = await call(port, { method: 'GET', path: `${place}/pods/one/log`, headers })
    expect([status, await text]).toEqual([204, ''])
  })

  const choice = 'a container name must be specified for pod two, choose one of: [i a b]'

  it.each([
    ['pods/one/exec?command=ls', 400, 'pod one does not have a host assigned'],
    ['pods/one/attach', 400, 'pod one does not have a host assigned'],
    ['pods/one/portforward', 400, 'pod one does not have a host assigned'],
    ['pods/two/log', 400, choice],
    ['pods/two/exec?command=ls', 400, choice],
    ['pods/two/log?container=x', 400, 'container x is not valid for pod two'],
    ['pods/none/log', 404, 'pods "none" not found'],
    ['pods/placed/log', 404, 'pods "gone" not found'],
    ['pods/placed/exec?command=ls', 404, 'pods "gone" not found'],
    ['pods/one/proxy/', 400, 'address not allowed'],
    ['services/s:81/proxy', 503, 'no service port 81 found for service "s"'],
    ['services/s:80/proxy/', 503, 'no endpoints available for service "s"'],
    ['services/none/proxy/', 404, 'services "none" not found'],
    ['pods/none/portforward?ports=x', 400, 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'],
    ['pods/none/log?sinceTime=x', 400, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['pods/one/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'pods/one/log?tailLines=-1&limitBytes=0&sinceSeconds=0&stream=Stdout',
      422,
      'PodLogOptions "one" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, ' +
        'limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0, ' +
        'stream: Forbidden: may not be specified]',
    ],
  ])('answers %s', async (path, status, message) => {
    const answer = await sendJson(port, 'GET', `${place}/${path}`)
    expect([answer.status, answer.body.message]).toEqual([status, message])
  })
})

describe('priority levels and FlowSchemas of Kubernetes', () => {
  const flows = '/apis/flowcontrol.apiserver.k8s.io/v1'

  it('exist, and are restored', async () => {
    const names = async (plural: string) => {
      const { body } = await sendJson(port, 'GET', `${flows}/${plural}`)
      return (body.items as readonly { readonly metadata: { readonly name: string } }[]).map(
        (each) => each.metadata.name,
      )
    }
    await eventually(async () => {
      expect(await names('flowschemas')).toHaveLength(13)
      expect(await names('prioritylevelconfigurations')).toHaveLength(8)
    })
    await sendJson(port, 'DELETE', `${flows}/flowschemas/catch-all`)
    await eventually(async () => expect(await names('flowschemas')).toContain('catch-all'))
  })

  it('a FlowSchema reports whether its level exists', async () => {
    const level = `${flows}/prioritylevelconfigurations`
    const spec = { priorityLevelConfiguration: { name: 'later' } }
    await sendJson(port, 'POST', `${flows}/flowschemas`, { metadata: { name: 'own' }, spec })
    const conditions = async () => {
      const { body } = await sendJson(port, 'GET', `${flows}/flowschemas/own`)
      return (body.status as { readonly conditions?: readonly object[] }).conditions
    }
    const named = 'This FlowSchema references the PriorityLevelConfiguration object named "later"'
    await eventually(async () =>
      expect(await conditions()).toMatchObject([
        { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${named} but there is no such object` },
      ]),
    )
    const limited = { limitResponse: { type: 'Reject' } }
    await sendJson(port, 'POST', level, { metadata: { name: 'later' }, spec: { type: 'Limited', limited } })
    await eventually(async () =>
      expect(await conditions()).toMatchObject([
        { type: 'Dangling', status: 'False', reason: 'Found', message: `${named} and it exists` },
      ]),
    )
  })
})
