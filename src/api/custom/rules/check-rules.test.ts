import { describe, expect, it } from 'vitest'
import { integer, properties, schemaOf, text } from '../../../../tests/support/examples/rules.ts'
import { schemaErrors } from '../checks/check-schema.ts'

describe('rules that are refused', () => {
  it.each([
    ['self.any.x == 1', "undefined field 'x'"],
    ['self.zz == 1', "undefined field 'zz'"],
    ['self.namespace == ""', "undefined field 'namespace'"],
    [
      'self.list == self.set2 && self.list == self.n',
      "found no matching overload for '_==_' applied to '(list(string), int)'",
    ],
    ['self.n', 'cel expression must evaluate to a bool'],
    ['authorizer.path("/").check("get").allowed()', "undeclared reference to 'authorizer'"],
    ['self.list.all(i, v, v != "")', "undeclared reference to 'all'"],
    ['self.metadata.name == ""', "undefined field 'metadata'"],
    ['quantity("1").sign() == 1', "found no matching overload for 'sign'"],
  ])('%s: %s', (rule, problem) => {
    const [error] = schemaErrors(schemaOf(properties, rule), 'schema')
    expect(error?.field).toBe('schema.properties[spec].x-kubernetes-validations[0].rule')
    expect(error?.message).toContain(problem)
  })

  it.each([
    [
      '"%d".format(["x"]) == ""',
      'compilation failed: ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string\n',
    ],
    [
      '"%z".format(["x"]) == ""',
      'compilation failed: ERROR: <input>:1:12: could not parse formatting clause: unrecognized formatting clause "z"\n',
    ],
    ['"%s".format([]) == ""', 'compilation failed: ERROR: <input>:1:12: index 0 out of range\n'],
    [
      '"%5.2q".format([1]) == ""',
      'compilation failed: ERROR: <input>:1:15: could not parse formatting clause: unrecognized formatting clause "5"\n',
    ],
    ['int("9223372036854775808") == 1', "program instantiation failed: type conversion error from 'string' to 'int'"],
    ['int(1e30) == 1', 'program instantiation failed: integer overflow'],
    ['uint(-1) == 1u', 'program instantiation failed: unsigned integer overflow'],
    ['"a".find("[") == ""', 'program instantiation failed: error parsing regexp: missing closing ]: `[`'],
  ])('%s can only fail: %s', (rule, problem) => {
    const errors = schemaErrors(schemaOf(properties, rule), 'schema')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toContain(`: ${problem}`)
  })

  it('but not for the result of optMap', () => {
    const rule = 'self.?t.optMap(v, v + "x").orValue("") == "q"'
    expect(schemaErrors(schemaOf({ t: { type: 'string' } }, rule), 'schema')).toEqual([])
  })

  it('for their estimated cost', () => {
    const lists = { list: { type: 'array', items: { type: 'string' } } }
    const [error] = schemaErrors(schemaOf(lists, 'self.list.all(a, self.list.all(b, a != b))'), 'schema')
    expect(error?.message).toContain('Forbidden: estimated rule cost exceeds budget by factor of more than 100x')
    const short = { list: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } } }
    expect(schemaErrors(schemaOf(short, 'self.list.all(a, self.list.all(b, a != b))'), 'schema')).toEqual([])
  })

  it('with the factor by which they exceed the cost budget, as in Kubernetes', () => {
    const map = { map: { type: 'object', maxProperties: 1_000_000, additionalProperties: integer } }
    const messages = schemaErrors(schemaOf(map, 'self.map.all(k, self.map[k] > 0 && self.map[k] < 9)'), 'schema')
    expect(messages.map(({ message }) => message.slice(0, 70))).toEqual(
      ['Forbidden: estimated rule cost exceeds budget by factor of 1.300000x (t'].map((each) => each.slice(0, 70)),
    )
  })

  it('if they use oldSelf where items cannot be correlated', () => {
    const list = {
      list: {
        type: 'array',
        maxItems: 5,
        items: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
      },
    }
    const [error] = schemaErrors(schemaOf(list, 'true'), 'schema')
    expect(error?.message).toContain(
      'oldSelf cannot be used on the uncorrelatable portion of the schema within schema.properties[spec].properties[list]',
    )
  })

  it('in a definition with too many rules', () => {
    const rules = Array.from({ length: 5000 }, (_, at) => ({ rule: `self.n == ${at} || self.t.startsWith("${at}")` }))
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': rules } },
    }
    const errors = schemaErrors(schema, 'schema')
    expect(errors.at(-1)?.message).toContain('too many or too large')
  })
})
