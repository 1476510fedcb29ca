import { describe, expect, it } from 'vitest'
import {
  evaluated,
  findings,
  integer,
  type Json,
  properties,
  schemaOf,
  spec,
  text,
} from '../../../../tests/support/examples/rules.ts'
import { schemaErrors } from '../checks/check-schema.ts'

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

  it('is evaluated for a stored rule that a new definition could not have', () => {
    const schema = schemaOf(properties, 'quantity("-1").sign() == -1')
    expect(schemaErrors(schema, 'schema')).toHaveLength(1)
    expect(evaluated(schema, spec)).toMatchObject({ errors: [], warnings: [] })
  })

  it('includes the name and the kind of the whole object', () => {
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

describe('a rule that does not hold', () => {
  const at = (extra: Json) => ({ rule: 'self.n < 3', ...extra })

  it.each([
    [at({}), 'spec', 'Invalid value: "object": failed rule: self.n < 3', 'FieldValueInvalid'],
    [at({ message: ' too many ' }), 'spec', 'Invalid value: "object": too many', 'FieldValueInvalid'],
    [at({ messageExpression: 'string(self.n)' }), 'spec', 'Invalid value: "object": 5', 'FieldValueInvalid'],
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

  it('is reported with the path of each item and member', () => {
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

  it('do not run for new objects', () => {
    expect(findings(schemaOf(transition, 'true'), { n: 1 }).errors).toEqual([])
    expect(findings(schemaOf(transition, 'true'), { n: 1 }, {}).errors).toEqual([])
  })

  it('see the previous value', () => {
    expect(findings(schemaOf(transition, 'true'), { n: 2 }, { n: 1 }).errors).toEqual([])
    expect(findings(schemaOf(transition, 'true'), { n: 1 }, { n: 2 }).errors).toHaveLength(1)
  })

  it('run for new objects if oldSelf is optional', () => {
    const rule = { rule: '!oldSelf.hasValue() || oldSelf.value().n <= self.n', optionalOldSelf: true }
    const schema = schemaOf({ n: integer }, rule)
    expect(findings(schema, { n: 1 }).errors).toEqual([])
    expect(findings(schema, { n: 1 }, { n: 2 }).errors).toHaveLength(1)
  })

  it('correlate items by their keys', () => {
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

  it('only warn about unchanged values', () => {
    const schema = schemaOf({ n: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 10' }] }, t: text }, 'true')
    expect(findings(schema, { n: 1, t: 'b' }, { n: 1, t: 'a' })).toMatchObject({
      errors: [],
      warnings: ['spec.n: Invalid value: "integer": failed rule: self > 10'],
    })
    expect(findings(schema, { n: 2, t: 'b' }, { n: 1, t: 'a' }).errors).toHaveLength(1)
  })
})
