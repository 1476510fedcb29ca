import { describe, expect, it } from 'vitest'
import { chanceOf } from './chance.ts'
import { engineOf } from './engine.ts'
import { type Outcome, outcomeOf, type Request, type Rights, type Scope } from './model.ts'
import pastFailures from './past-failures.json' with { type: 'json' }
import { requestBy } from './requests.ts'
import { rightsBy, scopeBy } from './scopes.ts'

/** 20,000 runs detect every engine with a planted error. `npm run fuzz` sets more. */
const runs = Number(process.env.SCOPE_RUNS ?? 50_000)
const firstSeed = Number(process.env.SCOPE_SEED ?? 1)
const requestsPerWorld = 40

interface Triple {
  readonly rights: Rights
  readonly scope?: Scope | undefined
  readonly request: Request
}

/** Every triple of the run, and the model's decision. */
function* triples(): Generator<Triple & { readonly seed: number; readonly engine: Outcome; readonly model: Outcome }> {
  for (let seed = firstSeed; seed < firstSeed + runs / requestsPerWorld; seed++) {
    const chance = chanceOf(seed)
    const [rights, scope] = [rightsBy(chance), scopeBy(chance)]
    const engine = engineOf(rights, scope)
    for (let count = 0; count < requestsPerWorld; count++) {
      const request = requestBy(chance, scope)
      const model = outcomeOf(rights, scope, request)
      yield { seed, rights, scope, request, engine: engine.outcomeOf(request), model }
    }
  }
}

describe('the engine and the model', () => {
  it(`agree on ${runs} requests, many of them allowed and many refused by the scope alone`, () => {
    const counts = new Map<Outcome, number>()
    for (const { model, engine, seed, rights, scope, request } of triples()) {
      if (engine !== model) {
        const triple = JSON.stringify({ rights, scope, request })
        expect.fail(`The engine says "${engine}" and the model "${model}", with seed ${seed}, for ${triple}`)
      }
      counts.set(model, (counts.get(model) ?? 0) + 1)
    }
    const share = (outcome: Outcome) => (counts.get(outcome) ?? 0) / runs
    expect(share('allowed')).toBeGreaterThanOrEqual(0.3)
    expect(share('refused by scope')).toBeGreaterThanOrEqual(0.3)
    expect(share('refused by owner')).toBeGreaterThan(0.01)
  })

  it.each(pastFailures as readonly Triple[])('agree where they differed before, number %#', (triple) => {
    const { rights, scope, request } = triple
    expect(engineOf(rights, scope).outcomeOf(request)).toBe(outcomeOf(rights, scope, request))
  })
})
