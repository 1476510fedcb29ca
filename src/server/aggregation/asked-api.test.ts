import { expect, it } from 'vitest'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import { readRequestInfo } from '../request/request-info.ts'
import { askedApi, segmentsToPass } from './asked-api.ts'

const api: AggregatedApi = {
  name: 'v1.example.com',
  group: 'example.com',
  version: 'v1',
  isAvailable: true,
  resources: [],
  forward: () => Promise.reject(new Error('nothing is passed on')),
}
const find = (group: string, version: string) => (`${version}.${group}` === api.name ? api : undefined)
const foos = '/apis/example.com/v1/namespaces/x/foos'
const management = '/kubernetes/management'

it.each([
  ['a resource', foos, foos],
  ['a resource behind the prefix of the platform', `${management}${foos}`, foos],
  ['a resource with doubled slashes', `/${foos}/`, foos],
  ['the discovery of the API', '/apis/example.com/v1', '/apis/example.com/v1'],
  ['its document', '/openapi/v3/apis/example.com/v1', '/openapi/v3/apis/example.com/v1'],
  ['the discovery of the API, with a slash', `${management}/apis/example.com/v1/`, '/apis/example.com/v1'],
])('%s is forwarded', (_, url, passed) => {
  const info = readRequestInfo('GET', url)
  expect(askedApi({ info, onward: undefined }, find)).toBe(api)
  expect(`/${segmentsToPass(info).join('/')}`).toBe(passed)
})

/** Each of these paths was authorized as one that names no resource. */
it.each([
  `/${management}${foos}`,
  `${management}${management}${foos}`,
  `/kubernetes//management${foos}`,
  '/apis/example.com/v1/watch',
  `${management}${management}/apis/example.com/v1`,
  '/apis/example.com',
  '/openapi/v3/apis/example.com/v1/foos',
  '/openapi/v3/apis/example.com',
  '/openapi/v2/apis/example.com/v1',
  '/openapi/v3/../../apis/example.com/v1/foos',
  '/api/v1',
  '/api/v1/pods',
])('a path that was not authorized as a resource of the API is not forwarded: %s', (url) => {
  const info = readRequestInfo('GET', url)
  expect(askedApi({ info, onward: undefined }, find)).toBeUndefined()
})
