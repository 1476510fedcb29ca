import { describe, expect, it } from 'vitest'
import { authorizeBy } from '../../src/server/callers/authorize.ts'
import { exchangeOf } from './fair-exchange.ts'

const pod = '/api/v1/namespaces/default/pods/web'

/** Allows these verbs and no others. */
function authorizerOf(...verbs: readonly string[]) {
  return authorizeBy({
    authorize: ({ verb }) =>
      verbs.includes(verb) ? { verdict: 'allow', reason: 'allowed' } : { verdict: 'no-opinion', reason: '' },
    rulesFor: () => ({ resourceRules: [], pathRules: [], incomplete: false }),
  })
}

describe('a stream that is opened with GET', () => {
  it.each(['exec', 'attach', 'portforward'])('needs the rights to read and to create: %s', async (subresource) => {
    const asked = () => exchangeOf({ url: `${pod}/${subresource}?command=sh` })
    const may = async (...verbs: readonly string[]) => authorizerOf(...verbs)(asked())
    await expect(may('get')).rejects.toThrow('cannot create resource "pods/')
    await expect(may('create')).rejects.toThrow('cannot get resource "pods/')
    expect(await may('get', 'create')).toBeUndefined()
  })

  it.each(['', '/log', '/status'])('is not any other read of a Pod: pods/web%s', async (path) => {
    expect(await authorizerOf('get')(exchangeOf({ url: pod + path }))).toBeUndefined()
  })
})
