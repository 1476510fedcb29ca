import { describe, expect, test } from 'vitest'
import { answer, type Respond } from '../../client/scripted-server.ts'
import { attackBy, megabyte, pour } from './support/hostile-server.ts'

const core = {
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true }],
}

/** A server without aggregated discovery that lists these groups. */
const groupsOf =
  (versions: readonly string[]): Respond =>
  (response, { path }) => {
    const groups = versions.map((groupVersion) => ({ name: groupVersion.split('/')[0], versions: [{ groupVersion }] }))
    if (path === '/apis') return answer(response, 200, { kind: 'APIGroupList', groups })
    if (path === '/api') return answer(response, 200, { kind: 'APIVersions', versions: ['v1'] })
    answer(response, 200, path === '/api/v1' ? core : { kind: 'APIResourceList', groupVersion: 'x/v1', resources: [] })
  }

describe('the discovery of a hostile server', () => {
  test('with 20,000 groups is not requested group by group', async () => {
    const groups = Array.from({ length: 20_000 }, (_, index) => `g${index}/v1`)
    const { client, server } = await attackBy(groupsOf(groups))
    await expect(client.served.find('', 'configmaps')).rejects.toThrow('more than 1000 versions of groups')
    expect(server.heard.length).toBeLessThanOrEqual(2)
  })

  test('with names that lead elsewhere is not followed', async () => {
    const { client, server } = await attackBy(
      groupsOf(['../../../kubernetes/cluster/host/v1', 'a/../../b', 'x?y/v1', 'apps/v1%2f..', 'real.example/v1']),
    )
    await client.served.find('', 'configmaps')
    expect(server.heard.map(({ path }) => path).sort()).toEqual(['/api', '/api/v1', '/apis', '/apis/real.example/v1'])
  })

  test('in an endless response is read only up to a limit', async () => {
    const sent: { bytes: number }[] = []
    const { client } = await attackBy((response) => {
      response.writeHead(200).write('{"kind":"APIGroupDiscoveryList","items":[')
      sent.push(pour(response, Buffer.from('{"metadata":{"name":"x"}},'.repeat(2_000)), 100 * megabyte))
    })
    await expect(client.served.find('', 'configmaps')).rejects.toThrow('larger than')
    for (const { bytes } of sent) expect(bytes).toBeLessThan(40 * megabyte)
  })

  test('nested 20,000 deep is refused', async () => {
    const { client } = await attackBy((response) =>
      response
        .writeHead(200)
        .end(`{"kind":"APIGroupDiscoveryList","items":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    )
    await expect(client.served.find('', 'configmaps')).rejects.toThrow('nested more than')
  })

  test('with 300,000 resources in one group is refused', async () => {
    const resources = Array.from({ length: 100_000 }, () => ({
      resource: 'x',
      responseKind: { kind: 'X' },
      scope: 'Cluster',
    }))
    const items = [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', resources }] }]
    const { client } = await attackBy((response) => answer(response, 200, { kind: 'APIGroupDiscoveryList', items }))
    await expect(client.served.find('', 'configmaps')).rejects.toThrow('holds more than')
  })
})
