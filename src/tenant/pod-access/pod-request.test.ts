import { describe, expect, it } from 'vitest'
import { readRequestInfo } from '../../server/request/request-info.ts'
import { podRequestOf } from './pod-request.ts'

const web = '/api/v1/namespaces/shop/pods/web'

function asked(method: string, url: string) {
  return podRequestOf(readRequestInfo(method, url))
}

describe('a request into a Pod', () => {
  it.each([
    ['GET', `${web}/log?follow=true&container=main&tailLines=5`, 'log', 'main', ['follow=true', 'tailLines=5']],
    ['GET', `${web}/log?insecureSkipTLSVerifyBackend=true&x=y`, 'log', '', []],
    [
      'POST',
      `${web}/exec?command=sh&command=-c&stdin=true&container=a`,
      'exec',
      'a',
      ['command=sh', 'command=-c', 'stdin=true'],
    ],
    ['GET', `${web}/exec?command=sh`, 'exec', '', ['command=sh']],
    ['POST', `${web}/attach?tty=true`, 'attach', '', ['tty=true']],
    ['POST', `${web}/portforward?ports=80&container=a`, 'portforward', 'a', ['ports=80']],
  ])('%s %s', (method, url, subresource, container, parameters) => {
    expect(asked(method, url)).toMatchObject({ pod: { namespace: 'shop', name: 'web' }, subresource, container })
    expect(asked(method, url)?.parameters.map(([name, value]) => `${name}=${value}`)).toEqual(parameters)
  })

  it.each([
    ['GET', web],
    ['GET', `${web}/status`],
    ['POST', `${web}/log`],
    ['DELETE', `${web}/exec`],
    ['GET', `${web}/log/more`],
    ['GET', `${web}/proxy/`],
    ['GET', '/api/v1/namespaces/shop/services/web/log'],
    ['GET', '/apis/apps/v1/namespaces/shop/pods/web/log'],
    ['GET', '/api/v1/nodes/web/log'],
    ['GET', '/logs'],
  ])('is not: %s %s', (method, url) => {
    expect(asked(method, url)).toBeUndefined()
  })

  it('has parameters of a bounded length', () => {
    expect(() => asked('POST', `${web}/exec?command=${'x'.repeat(70_000)}`)).toThrow('longer than 65536')
  })
})
