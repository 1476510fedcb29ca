import { expect, it } from 'vitest'
import { addressOf, pathPrefix } from './address.ts'

it.each([
  ['https://platform.example', { host: 'platform.example', port: 443 }],
  ['http://platform.example', { host: 'platform.example', port: 80 }],
  ['https://platform.example:8443/path', { host: 'platform.example', port: 8443 }],
  ['https://[::1]', { host: '::1', port: 443 }],
  ['http://[fd00::2]:3128', { host: 'fd00::2', port: 3128 }],
])('%s is at %j', (url, expected) => {
  expect(addressOf(new URL(url))).toEqual(expected)
})

it.each([
  ['https://platform.example', ''],
  ['https://platform.example/', ''],
  ['https://platform.example/k8s/', '/k8s'],
  ['https://platform.example/k8s/clusters/a', '/k8s/clusters/a'],
])('paths of %s begin with "%s"', (url, expected) => {
  expect(pathPrefix(new URL(url))).toBe(expected)
})
