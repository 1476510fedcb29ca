import { expect, it } from 'vitest'
import { proxyFor } from './proxy-environment.ts'

const proxy = 'http://proxy.example:3128'

it.each([
  ['https://platform.example', { HTTPS_PROXY: proxy }, proxy],
  ['https://platform.example', { https_proxy: 'proxy.example:3128' }, proxy],
  ['https://platform.example', { ALL_PROXY: proxy }, proxy],
  ['http://platform.example', { HTTPS_PROXY: proxy }, undefined],
  ['https://platform.example', {}, undefined],
  ['https://platform.example', { HTTPS_PROXY: proxy, NO_PROXY: 'platform.example' }, undefined],
  ['https://platform.example', { HTTPS_PROXY: proxy, NO_PROXY: '.example' }, undefined],
  ['https://platform.example', { HTTPS_PROXY: proxy, NO_PROXY: 'other.example, form.example' }, proxy],
  ['https://platform.example:8443', { HTTPS_PROXY: proxy, no_proxy: 'platform.example:443' }, proxy],
  ['https://platform.example:8443', { HTTPS_PROXY: proxy, no_proxy: 'platform.example:8443' }, undefined],
  ['https://10.0.0.1:8443', { HTTPS_PROXY: proxy, no_proxy: '10.0.0.1,localhost' }, undefined],
  ['https://127.0.0.1:8443', { HTTPS_PROXY: proxy }, undefined],
  ['https://localhost', { HTTPS_PROXY: proxy }, undefined],
  ['https://[::1]:8443', { HTTPS_PROXY: proxy }, undefined],
  ['https://platform.example', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
])('%s with %j goes through %s', (url, env, expected) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(expected === undefined ? undefined : `${expected}/`)
})
