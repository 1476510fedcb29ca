import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../base/pace.ts'
import { compileEffort } from '../../../cel/compile-effort.ts'
import { schemaErrors } from '../check-schema.ts'
import { compileStructure } from '../compile.ts'
import type { SchemaNode } from '../schema-node.ts'
import { evaluateRules } from './evaluate-rules.ts'
import type { RuleFindings } from './rule-findings.ts'
import { compileRuleTree } from './rule-tree.ts'

type Json = Readonly<Record<string, unknown>>

const text = { type: 'string', maxLength: 20 }
const integer = { type: 'integer' }

/** A schema whose `spec` has these properties, and one rule. */
function schemaOf(properties: Json, rule: string | Json): SchemaNode {
  const validation = typeof rule === 'string' ? { rule } : rule
  return {
    type: 'object',
    properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': [validation] } },
  }
}

function findings(schema: SchemaNode, spec: unknown, old?: unknown): RuleFindings {
  expect(schemaErrors(schema, 'schema')).toEqual([])
  const tree = compileRuleTree(compileStructure(schema), compileEffort(50_000))
  if (tree === undefined) throw new Error('The schema has no rules.')
  const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'n' }, spec }
  return atOnce(evaluateRules(tree, object, old === undefined ? undefined : { ...object, spec: old }))
}

const properties: Json = {
  n: integer,
  m: { ...integer, nullable: true },
  t: text,
  'a-b': integer,
  'a.b': integer,
  'a/b': integer,
  a__b: integer,
  namespace: text,
  d: { type: 'number' },
  on: { type: 'boolean' },
  wait: { type: 'string', format: 'duration' },
  day: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  raw: { type: 'string', format: 'byte', maxLength: 20 },
  port: { 'x-kubernetes-int-or-string': true },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  part: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  list: { type: 'array', maxItems: 5, items: text },
  other: { type: 'array', maxItems: 5, items: text },
  set: { type: 'array', maxItems: 5, items: text, 'x-kubernetes-list-type': 'set' },
  set2: { type: 'array', maxItems: 5, items: text, 'x-kubernetes-list-type': 'set' },
  keyed: {
    type: 'array',
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: text, v: integer } },
  },
  map: { type: 'object', maxProperties: 5, additionalProperties: integer },
}

const spec: Json = {
  n: 5,
  m: null,
  t: 'hello',
  'a-b': 1,
  'a.b': 2,
  'a/b': 3,
  a__b: 4,
  namespace: 'ns',
  d: 1,
  on: true,
  wait: '1h',
  day: '2024-02-29',
  at: '2024-02-29T12:00:00Z',
  raw: 'YWJj',
  port: 'http',
  any: { x: 1 },
  part: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} },
  list: ['b', 'a'],
  other: ['a', 'b'],
  set: ['b', 'a'],
  set2: ['a', 'b'],
  keyed: [
    { k: 'x', v: 1 },
    { k: 'y', v: 2 },
  ],
  map: { a: 1, 'b-c': 2 },
}

describe('what rules see of an object', () => {
  it.each([
    'self.n == 5 && self.t == "hello" && self.d == 1.0 && self.on',
    'self.a__dash__b == 1 && self.a__dot__b == 2 && self.a__slash__b == 3 && self.a__underscores__b == 4',
    'self.__namespace__ == "ns"',
    '!has(self.m)',
    'self.wait == duration("60m") && self.wait > duration("59m")',
    'self.day < self.at && self.at.getHours() == 12',
    'self.raw == b"abc" && self.raw.size() == 3',
    'type(self.port) == string && self.port == "http"',
    'self.part.kind == "Pod" && self.part.metadata.name == "p"',
    'self.list != self.other',
    'self.set == self.set2',
    'self.set + ["a", "c"] == self.set + ["c"]',
    '(self.set + ["a", "c"]).size() == 3',
    'self.list + ["a"] == ["b", "a", "a"]',
    'self.keyed.exists(e, e.k == "x" && e.v == 1)',
    '(self.keyed + self.keyed).size() == 2',
    'self.map["b-c"] == 2 && "a" in self.map && self.map.all(k, self.map[k] > 0)',
    'self.list.isSorted() == false && self.other.isSorted()',
    'self.list.max() == "b" && self.list.min() == "a" && self.list.indexOf("a") == 1',
    '[1, 2, 3].sum() == 6 && [duration("1s"), duration("2s")].sum() == duration("3s")',
    'self.t.find("l+") == "ll" && self.t.findAll("[el]") == ["e", "l", "l"] && self.t.findAll("l", 1) == ["l"]',
    'isURL("https://a.b:80/c?d=e") && url("https://a.b:80/c?d=e").getPort() == "80"',
    'url("https://user@a.b:80/c%20d?d=e&d=f").getHost() == "a.b:80" && url("https://[::1]:80/").getHostname() == "::1"',
    'url("https://a.b/c d?d=e&d=f").getQuery()["d"] == ["e", "f"] && url("/a").getEscapedPath() == "/a"',
    '!isURL("../a") && !isURL("https://a:b/")',
    'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("1500m").compareTo(quantity("1.5")) == 0',
    'quantity("1k").add(5).asInteger() == 1005 && quantity("1").sub(quantity("500m")).asApproximateFloat() == 0.5',
    'quantity("1Ki") == quantity("1024") && isQuantity("1Ki") && !isQuantity("1Q") && sign(quantity("-1")) == -1',
    'ip("10.0.0.1").family() == 4 && ip("::1").isLoopback() && !isIP("10.0.0") && !isIP("::ffff:1.2.3.4")',
    'ip("169.254.1.1").isLinkLocalUnicast() && ip("224.0.0.1").isLinkLocalMulticast() && ip("8.8.8.8").isGlobalUnicast()',
    'ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::1") && string(ip("2001:DB8::0001")) == "2001:db8::1"',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsCIDR("11.0.0.0/9")',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").prefixLength() == 8',
    'cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16")) && cidr("10.0.0.1/8").ip() == ip("10.0.0.1")',
    '!format.dns1123Label().validate("ok").hasValue() && format.dns1123Label().validate("No").value().size() == 1',
    'format.named("uuid").hasValue() && !format.named("none").hasValue()',
    'sets.contains(self.list, ["a"]) && sets.equivalent(self.list, self.other)',
    'self.?n.orValue(0) == 5 && self.keyed[?7].hasValue() == false',
  ])('%s', (rule) => {
    expect(findings(schemaOf(properties, rule), spec)).toMatchObject({ errors: [], warnings: [] })
  })

  it('is also the name of the whole object', () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object' } },
      'x-kubernetes-validations': [{ rule: 'self.metadata.name == "m" && self.kind == "A"' }],
    }
    expect(findings(schema, {}).errors).toEqual([
      {
        field: '<nil>',
        message: 'Invalid value: "object": failed rule: self.metadata.name == "m" && self.kind == "A"',
        reason: 'FieldValueInvalid',
      },
    ])
  })
})

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
  ])('%s: %s', (rule, problem) => {
    const [error] = schemaErrors(schemaOf(properties, rule), 'schema')
    expect(error?.field).toBe('schema.properties[spec].x-kubernetes-validations[0].rule')
    expect(error?.message).toContain(problem)
  })

  it('for what they could cost', () => {
    const lists = { list: { type: 'array', items: { type: 'string' } } }
    const [error] = schemaErrors(schemaOf(lists, 'self.list.all(a, self.list.all(b, a != b))'), 'schema')
    expect(error?.message).toContain('Forbidden: estimated rule cost exceeds budget by factor of more than 100x')
    const short = { list: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } } }
    expect(schemaErrors(schemaOf(short, 'self.list.all(a, self.list.all(b, a != b))'), 'schema')).toEqual([])
  })

  it('by how much they cost too much, in the words of Kubernetes', () => {
    const map = { map: { type: 'object', maxProperties: 1_000_000, additionalProperties: integer } }
    const messages = schemaErrors(schemaOf(map, 'self.map.all(k, self.map[k] > 0 && self.map[k] < 9)'), 'schema')
    expect(messages.map(({ message }) => message.slice(0, 70))).toEqual(
      ['Forbidden: estimated rule cost exceeds budget by factor of 1.300000x (t'].map((each) => each.slice(0, 70)),
    )
  })

  it('where it cannot be told what stood there before', () => {
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

  it('in a definition that has too many of them', () => {
    const rules = Array.from({ length: 5000 }, (_, at) => ({ rule: `self.n == ${at} || self.t.startsWith("${at}")` }))
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': rules } },
    }
    const errors = schemaErrors(schema, 'schema')
    expect(errors.at(-1)?.message).toContain('too many or too large')
  })
})

describe('a rule that does not hold', () => {
  const at = (extra: Json) => ({ rule: 'self.n < 3', ...extra })

  it.each([
    [at({}), 'spec', 'Invalid value: "object": failed rule: self.n < 3', 'FieldValueInvalid'],
    [at({ message: ' too many ' }), 'spec', 'Invalid value: "object": too many', 'FieldValueInvalid'],
    [at({ messageExpression: '"is " + string(self.n)' }), 'spec', 'Invalid value: "object": is 5', 'FieldValueInvalid'],
    [at({ messageExpression: '"a\\nb"', message: 'm' }), 'spec', 'Invalid value: "object": m', 'FieldValueInvalid'],
    [
      at({ messageExpression: 'string(1 / (self.n - 5))' }),
      'spec',
      'Invalid value: "object": failed rule: self.n < 3',
      'FieldValueInvalid',
    ],
    [at({ reason: 'FieldValueForbidden', message: 'no' }), 'spec', 'Forbidden: no', 'FieldValueForbidden'],
    [at({ reason: 'FieldValueRequired', message: 'no' }), 'spec', 'Required value: no', 'FieldValueRequired'],
    [at({ reason: 'FieldValueDuplicate' }), 'spec', 'Duplicate value: "object"', 'FieldValueDuplicate'],
    [
      at({ fieldPath: '.keyed' }),
      'spec.keyed',
      'Invalid value: "object": failed rule: self.n < 3',
      'FieldValueInvalid',
    ],
    [
      at({ fieldPath: ".map['b-c']" }),
      'spec.map[b-c]',
      'Invalid value: "object": failed rule: self.n < 3',
      'FieldValueInvalid',
    ],
    [
      { rule: 'self.port > 3' },
      'spec',
      `Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.port > 3`,
      'FieldValueInvalid',
    ],
    [
      { rule: 'self.list[9] == ""' },
      'spec',
      'Invalid value: "object": index out of bounds: 9 evaluating rule: self.list[9] == ""',
      'FieldValueInvalid',
    ],
  ])('%j', (rule, field, message, reason) => {
    expect(findings(schemaOf(properties, rule), spec).errors).toEqual([{ field, message, reason }])
  })

  it('is told of each item and member where it stands', () => {
    const small = { ...integer, 'x-kubernetes-validations': [{ rule: 'self < 3' }] }
    const schema = schemaOf(
      {
        l: { type: 'array', maxItems: 9, items: small },
        m: { type: 'object', maxProperties: 9, additionalProperties: small },
      },
      'true',
    )
    const { errors } = findings(schema, { l: [1, 5], m: { a: 1, b: 7 } })
    expect(errors.map(({ field }) => field)).toEqual(['spec.l[1]', 'spec.m[b]'])
  })
})

describe('rules for changes', () => {
  const transition = { n: { ...integer, 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] } }

  it('are not asked about new objects', () => {
    expect(findings(schemaOf(transition, 'true'), { n: 1 }).errors).toEqual([])
    expect(findings(schemaOf(transition, 'true'), { n: 1 }, {}).errors).toEqual([])
  })

  it('see what was there before', () => {
    expect(findings(schemaOf(transition, 'true'), { n: 2 }, { n: 1 }).errors).toEqual([])
    expect(findings(schemaOf(transition, 'true'), { n: 1 }, { n: 2 }).errors).toHaveLength(1)
  })

  it('are asked about new objects if they can do without', () => {
    const rule = { rule: '!oldSelf.hasValue() || oldSelf.value().n <= self.n', optionalOldSelf: true }
    const schema = schemaOf({ n: integer }, rule)
    expect(findings(schema, { n: 1 }).errors).toEqual([])
    expect(findings(schema, { n: 1 }, { n: 2 }).errors).toHaveLength(1)
  })

  it('follow items by their keys', () => {
    const items = { type: 'object', required: ['k'], properties: { k: text, v: transition.n } }
    const keyed = {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items,
    }
    const schema = schemaOf({ keyed }, 'true')
    const old = {
      keyed: [
        { k: 'a', v: 5 },
        { k: 'b', v: 1 },
      ],
    }
    expect(
      findings(
        schema,
        {
          keyed: [
            { k: 'b', v: 2 },
            { k: 'a', v: 5 },
            { k: 'c', v: 0 },
          ],
        },
        old,
      ).errors,
    ).toEqual([])
    const { errors } = findings(
      schema,
      {
        keyed: [
          { k: 'b', v: 2 },
          { k: 'a', v: 4 },
        ],
      },
      old,
    )
    expect(errors.map(({ field }) => field)).toEqual(['spec.keyed[1].v'])
  })

  it('only warn of what has not changed', () => {
    const schema = schemaOf({ n: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 10' }] }, t: text }, 'true')
    expect(findings(schema, { n: 1, t: 'b' }, { n: 1, t: 'a' })).toMatchObject({
      errors: [],
      warnings: ['spec.n: Invalid value: "integer": failed rule: self > 10'],
    })
    expect(findings(schema, { n: 2, t: 'b' }, { n: 1, t: 'a' }).errors).toHaveLength(1)
  })
})

describe('an object of a hostile user', () => {
  const many = (rule: Json, length: number) =>
    schemaOf(
      { l: { type: 'array', maxItems: length, items: { ...integer, 'x-kubernetes-validations': [rule] } } },
      'true',
    )
  const numbers = (length: number) => ({ l: Array.from({ length }, (_, at) => at) })

  it('is refused when its rules have done too much work together, however little they cost', () => {
    const doubled = `[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]${'.map(x, x + x)'.repeat(14)}.size() > 0`
    const { errors } = findings(many({ rule: doubled }, 200), numbers(200))
    expect(errors).toMatchObject([{ field: expect.stringMatching(/^spec\.l\[\d\d\]$/), reason: 'FieldValueInvalid' }])
  })

  it('gets no more warnings than errors', () => {
    const schema = many({ rule: 'false', messageExpression: "'no'" }, 500)
    const { errors, warnings } = findings(schema, numbers(500), numbers(500))
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(100)
  })

  it('is refused for what has changed after as many warnings', () => {
    const schema = schemaOf(
      {
        a: { type: 'array', maxItems: 500, items: { ...integer, 'x-kubernetes-validations': [{ rule: 'false' }] } },
        z: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 10' }] },
      },
      'true',
    )
    const a = numbers(500).l
    expect(findings(schema, { a, z: 2 }, { a, z: 1 }).errors).toMatchObject([{ field: 'spec.z' }])
  })

  it('is refused when messages have spent what rules may cost', () => {
    const loops = ['a', 'b', 'c', 'd', 'e'].map((name) => `[0,1,2,3,4,5,6,7,8,9].all(${name}, `)
    const dear = `'no' + (${loops.join('')}true)))))  ? '' : '!')`
    const { errors } = findings(many({ rule: 'false', messageExpression: dear }, 50), numbers(50), numbers(50))
    expect(errors).toMatchObject([{ message: expect.stringContaining('running out of cost budget') }])
  })

  it('is decoded once, and what is hidden in it is paid for', () => {
    const turns = (body: string) => `[0,1,2,3,4,5,6,7,8,9].all(x, [0,1,2,3,4,5,6,7,8,9].all(y, ${body}))`
    const raw = { type: 'string', format: 'byte' }
    const data = { raw: 'YWJj'.repeat(100_000) }
    expect(findings(schemaOf({ raw }, turns('size(self.raw) == 300000')), data).errors).toEqual([])
    const any = { 'x-kubernetes-preserve-unknown-fields': true }
    const hidden = () => ({ any: Array.from({ length: 2000 }, (_, at) => ({ at })) })
    const same = findings(schemaOf({ any }, turns('self == oldSelf')), hidden(), hidden())
    expect(same.errors).toMatchObject([{ message: expect.stringContaining('actual cost limit exceeded') }])
  })

  it('with long items in sets is paid for by their characters', () => {
    const set = { type: 'array', maxItems: 2, 'x-kubernetes-list-type': 'set', items: { type: 'string' } }
    const joined = '[0,1,2,3,4,5,6,7,8,9].all(x, size(self.set + self.set) == 2)'
    const texts = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    expect(findings(schemaOf({ set }, joined), { set: texts }).errors).toMatchObject([
      { message: expect.stringContaining('actual cost limit exceeded') },
    ])
  })
})
