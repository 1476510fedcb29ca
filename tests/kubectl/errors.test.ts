import { describe, expect, it } from 'vitest'
import { accessKey, configMap, service } from './objects.ts'
import { printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

const keys = 'ownedaccesskeys.management.platform.internal'

eachKubectl('refusals', (kubectl) => {
  describe('refused by the server', () => {
    kubectl.since(25, 'validation by the server')(
      'an unknown field, as an error, a warning, or not at all',
      async () => {
        const unknown = { ...configMap('unknown', { a: '1' }), datas: {} }
        expect(await kubectl.pipe(unknown, 'create --validate=strict')).toEqual(
          refused(
            'Error from server (BadRequest): error when creating "STDIN": ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "datas"',
          ),
        )
        const unknownInCustom = accessKey('unknown', { bogus: 'x', scope: { bogus: [] } })
        expect(await kubectl.pipe(unknownInCustom, 'create')).toEqual(
          refused(
            'Error from server (BadRequest): error when creating "STDIN": OwnedAccessKey in version "v1" cannot be handled as a OwnedAccessKey: strict decoding error: unknown field "spec.bogus", unknown field "spec.scope.bogus"',
          ),
        )
        expect(await kubectl.pipe(unknown, 'create --validate=warn')).toEqual({
          code: 0,
          stdout: 'configmap/unknown created\n',
          stderr: 'Warning: unknown field "datas"\n',
        })
        expect(await kubectl.pipe(unknown, 'replace --validate=ignore')).toEqual(printed('configmap/unknown replaced'))
        const strictly = await kubectl.pipe(unknown, 'apply --validate=strict')
        expect(strictly.code).toBe(1)
        expect(strictly.stderr).toContain('strict decoding error: unknown field "datas"')
      },
    )

    kubectl.before(25, 'validation by kubectl itself')(
      'an unknown field, by the schema that the server publishes',
      async () => {
        const { code, stderr } = await kubectl.pipe({ ...configMap('unknown', {}), datas: {} }, 'create')
        expect([code, stderr]).toEqual([
          1,
          'error: error validating "STDIN": error validating data: ValidationError(ConfigMap): unknown field "datas" in io.k8s.api.core.v1.ConfigMap; if you choose to ignore these errors, turn validation off with --validate=false\n',
        ])
        const custom = await kubectl.pipe(accessKey('unknown', { ttl: 'soon' }), 'create')
        expect(custom.stderr).toContain(
          'ValidationError(OwnedAccessKey.spec.ttl): invalid type for internal.platform.management.v1.OwnedAccessKey.spec.ttl: got "string", expected "integer"',
        )
      },
    )

    it('a value of the wrong type', async () => {
      expect(await kubectl.pipe(configMap('typed', { a: 1 }), 'create --validate=false')).toEqual(
        refused(
          'Error from server (BadRequest): error when creating "STDIN": ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
        ),
      )
      expect(await kubectl.pipe(accessKey('typed', { ttl: 'soon' }), 'create --validate=false')).toEqual(
        refused(
          'The OwnedAccessKey "typed" is invalid: spec.ttl: Invalid value: "string": spec.ttl in body must be of type integer: "string"',
        ),
      )
    })

    it('all invalid fields at once', async () => {
      const wrong = {
        ...service('1bad', []),
        spec: { type: 'Wrong', ports: [{ port: 70_000 }, { port: 80 }] },
      }
      expect((await kubectl.pipe(wrong, 'create')).stderr.split('\n')).toEqual([
        'The Service "1bad" is invalid: ',
        expect.stringMatching(
          /^\* metadata\.name: Invalid value: "1bad": a DNS-1035 label must consist of lower case /,
        ),
        '* spec.ports[0].name: Required value',
        '* spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
        '* spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        '* spec.ports[1].name: Required value',
        '* spec.type: Unsupported value: "Wrong": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
        '',
      ])
      expect((await kubectl.pipe(accessKey('wrong', { type: 'Wrong', ttl: -1 }), 'create')).stderr.split('\n')).toEqual(
        [
          'The OwnedAccessKey "wrong" is invalid: ',
          '* spec.ttl: Invalid value: -1: must be greater than or equal to 0',
          expect.stringMatching(/^\* spec\.type: Unsupported value: "Wrong": supported values: "User", "Login", /),
          '',
        ],
      )
    })

    it('a change of an immutable field', async () => {
      await kubectl.run('create service clusterip fixed --tcp=80')
      const address = await kubectl.run('patch svc fixed -p', '{"spec":{"clusterIP":"10.96.255.1"}}')
      expect(address.stderr).toMatch(
        /^The Service "fixed" is invalid: spec\.clusterIPs?\[0\]: Invalid value: .*may not change once set\n$/,
      )
      await kubectl.run('create role fixed --verb=get --resource=pods')
      await kubectl.run('create rolebinding fixed --role=fixed --user=bob')
      const role = await kubectl.run('patch rolebinding fixed -p', '{"roleRef":{"name":"other"}}')
      expect([role.code, role.stderr]).toEqual([1, expect.stringContaining('cannot change roleRef')])
      await kubectl.pipe({ ...configMap('fixed', { a: '1' }), immutable: true }, 'create')
      const data = await kubectl.run('patch cm fixed -p', '{"data":{"a":"2"}}')
      expect(data).toEqual(
        refused('The ConfigMap "fixed" is invalid: data: Forbidden: field is immutable when `immutable` is set'),
      )
    })

    it('an existing object, and a missing one', async () => {
      await kubectl.pipe(accessKey('twice', {}), 'create')
      const [again, missing, gone] = await Promise.all([
        kubectl.pipe(accessKey('twice', {}), 'create'),
        kubectl.run('get oak nothing'),
        kubectl.run('delete oak nothing'),
      ])
      expect(again).toEqual(
        refused(`Error from server (AlreadyExists): error when creating "STDIN": ${keys} "twice" already exists`),
      )
      expect(missing).toEqual(refused(`Error from server (NotFound): ${keys} "nothing" not found`))
      expect(gone).toEqual(missing)
    })

    it('an invalid name', async () => {
      const [map, namespace] = await Promise.all([
        kubectl.run('create configmap Bad_Name'),
        kubectl.run('create namespace a.b'),
      ])
      expect(map.stderr).toContain(
        'ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of',
      )
      expect(namespace).toEqual(
        refused('The Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots'),
      )
    })
  })

  describe('refused by kubectl', () => {
    it('invalid YAML, and objects without a kind', async () => {
      const [text, kindless, nowhere] = await Promise.all([
        kubectl.pipe('a: [b', 'create'),
        kubectl.pipe({ apiVersion: 'v1', metadata: { name: 'a' } }, 'create --validate=false'),
        kubectl.run('create -f nowhere.yaml'),
      ])
      expect(text.stderr).toMatch(
        /^error: error parsing STDIN: error converting YAML to JSON: yaml: line 1: did not find/,
      )
      expect(kindless.stderr).toMatch(/^error: unable to decode "STDIN": Object 'Kind' is missing in /)
      expect(nowhere).toEqual(refused('error: the path "nowhere.yaml" does not exist'))
    })

    it('a kind that is not served', async () => {
      const input = { apiVersion: 'v1', kind: 'Nothing', metadata: { name: 'a' } }
      const { code, stderr } = await kubectl.pipe(input, 'create')
      expect([code, stderr]).toEqual([1, expect.stringContaining('no matches for kind "Nothing" in version "v1"')])
    })

    it('verbs that a kind does not support', async () => {
      await kubectl.run('create configmap plain')
      await kubectl.pipe(accessKey('plain', {}), 'create')
      const [map, accesskey, rollout, autoscale] = await Promise.all([
        kubectl.run('scale cm plain --replicas=2'),
        kubectl.run('scale oak plain --replicas=2'),
        kubectl.run('rollout status cm plain'),
        kubectl.run('autoscale cm plain --max=2'),
      ])
      expect(map).toEqual(refused('Error from server (NotFound): the server could not find the requested resource'))
      expect(accesskey).toEqual(refused(`Error from server (NotFound): ${keys} "plain" not found`))
      expect(rollout).toEqual(refused('error: no status viewer has been implemented for ConfigMap'))
      expect(autoscale.stderr).toMatch(/^error: cannot autoscale a ConfigMap: /)
    })
  })
})
