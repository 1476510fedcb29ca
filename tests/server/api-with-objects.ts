import type { ApiServerDependencies } from '../../src/server/contract.ts'
import { startApi, type TestApi } from './ask.ts'

export const configMaps = '/api/v1/namespaces/default/configmaps'
export const widgets = '/apis/things.example.com/v1/widgets'

/** A server with three ConfigMaps, `a` to `c`, and the widget `w`. */
export async function startApiWithObjects(overrides: Partial<ApiServerDependencies> = {}): Promise<TestApi> {
  const api = await startApi(overrides)
  for (const name of ['a', 'b', 'c']) {
    await api.ask(configMaps, { method: 'POST', body: { metadata: { name, labels: { name } }, data: { key: name } } })
  }
  await api.ask(widgets, {
    method: 'POST',
    body: { apiVersion: 'things.example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { color: 'red' } },
  })
  return api
}
