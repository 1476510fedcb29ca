import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { compiled, context, evaluate, startEngine, valueBy } from './support.ts'

describe('atob and btoa', () => {
  let engine: ExpressionEngine
  beforeAll(() => {
    engine = startEngine()
  })
  afterAll(() => engine.close())

  it.each([
    ['btoa("my-value")', 'bXktdmFsdWU='],
    ['atob("bXktdmFsdWU=")', 'my-value'],
    ['btoa("größe")', 'Z3LDtsOfZQ=='],
    ['atob("Z3LDtsOfZQ==")', 'größe'],
    ['btoa(atob(btoa("ä")) + "ü")', 'w6TDvA=='],
    ['atob(btoa("größe ✓ 𝒳"))', 'größe ✓ 𝒳'],
    ['value ? atob(value) : value', 'secret'],
  ])('%s is %j', async (source, expected) => {
    expect(await valueBy(engine, source, 'c2VjcmV0')).toBe(expected)
  })

  it('have the same answer in the sandbox as outside, for all characters of Latin-1', async () => {
    const text = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))
    const encoded = Buffer.from(text).toString('base64')
    expect(await valueBy(engine, 'btoa(value)', text)).toBe(encoded)
    expect(await valueBy(engine, 'atob(value)', encoded)).toBe(text)
  })

  it('refuse bytes that are not text', async () => {
    expect(await evaluate(engine, 'atob("AP/+")')).toMatchObject({
      message: expect.stringContaining('bytes that are not UTF-8 text'),
    })
  })

  it('handle a large secret within the deadline', async () => {
    const text = 'pässword '.repeat(50_000)
    // Measured in steps: the time that the machine takes for a native function is irrelevant.
    const patient = startEngine({ stallMs: 20_000 })
    expect(await valueBy(patient, 'atob(btoa(value)) === value', text)).toBe(true)
    await patient.close()
  })

  it('refuse a missing value rather than encode the word undefined', async () => {
    expect(await evaluate(engine, 'btoa(value)')).toMatchObject({
      kind: 'thrown',
      message: 'TypeError: btoa needs text, it was given undefined (line 1, column 6)',
    })
  })
})

describe('virtualToHostDNS', () => {
  it('resolves each name once', async () => {
    const asked: string[] = []
    const engine = startEngine({}, (service) => {
      asked.push(service)
      return { ok: true, address: `host.${service}` }
    })
    const expression = compiled('virtualToHostDNS(value) + virtualToHostDNS(value)')
    const evaluations = Array.from({ length: 100 }, (_, index) => ({ expression, value: `s${index % 3}`, context }))
    const results = await engine.evaluate(evaluations)
    expect(results[4]).toEqual({ state: 'value', value: 'host.s1host.s1' })
    expect(await valueBy(engine, 'virtualToHostDNS(value)', 's2')).toBe('host.s2')
    expect(asked).toEqual(['s0', 's1', 's2'])
    await engine.close()
  })

  it.each([
    ['"nope"', '"nope" is not a service'],
    ['value', 'virtualToHostDNS needs text, it was given undefined'],
    ['null', 'virtualToHostDNS needs text, it was given null'],
    ['{ toString: () => "a" }', 'virtualToHostDNS needs text, it was given object'],
  ])('of %s is an error of the expression', async (argument, message) => {
    const engine = startEngine({}, (service) => ({ ok: false, message: `"${service}" is not a service` }))
    expect(await evaluate(engine, `virtualToHostDNS(${argument})`)).toMatchObject({
      kind: 'thrown',
      message: expect.stringMatching(`^TypeError: ${message} \\(line 1, column \\d+\\)$`),
    })
    expect(await valueBy(engine, '(() => { try { return virtualToHostDNS("a") } catch { return 1 } })()')).toBe(1)
    await engine.close()
  })

  it('stops resolving names at the deadline', async () => {
    let asked = 0
    const engine = startEngine({}, (address) => {
      asked++
      return { ok: true, address }
    })
    const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}.default.svc`)
    expect(await valueBy(engine, 'value.map((name) => virtualToHostDNS(name))', names(300))).toEqual(names(300))
    expect(asked).toBe(300)
    expect(await evaluate(engine, '(() => { for (let i = 0; ; i++) virtualToHostDNS("n" + i) })()')).toMatchObject({
      kind: 'thrown',
      message: expect.stringMatching(/^TypeError: virtualToHostDNS was asked for too many names at once/),
    })
    expect(asked).toBeLessThan(1500)
    expect(await evaluate(engine, 'virtualToHostDNS("x".repeat(10000000))')).toMatchObject({ kind: 'thrown' })
    await engine.close()
  })

  it('survives a translator that throws', async () => {
    const engine = startEngine({}, () => {
      throw new Error('no names today')
    })
    expect(await evaluate(engine, 'virtualToHostDNS("a")')).toMatchObject({
      message: 'TypeError: no names today (line 1, column 1)',
    })
    expect(await valueBy(engine, '1')).toBe(1)
    await engine.close()
  })

  it('carries any text there and back', async () => {
    const engine = startEngine({}, (address) => ({ ok: true, address: `${address}\0ü𝒳` }))
    expect(await valueBy(engine, 'virtualToHostDNS(value)', 'a\0"\\✓')).toBe('a\0"\\✓\0ü𝒳')
    await engine.close()
  })
})
