import { describe, expect, it } from 'vitest'
import { accessKey, configMap } from './objects.ts'
import { printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

const key = 'ownedaccesskey.management.platform.internal'
const keys = 'ownedaccesskeys.management.platform.internal'

eachKubectl('changes', (kubectl) => {
  describe('label and annotate', () => {
    it('set, keep, overwrite and remove', async () => {
      await kubectl.run('create configmap labeled')
      const label = (words: string) => kubectl.run(`label cm labeled ${words}`)
      expect(await label('tier=front')).toEqual(printed('configmap/labeled labeled'))
      expect(await label('tier=back')).toEqual(
        refused("error: 'tier' already has a value (front), and --overwrite is false"),
      )
      expect(await label('tier=back --overwrite')).toEqual(printed('configmap/labeled labeled'))
      expect(await label('--list')).toEqual(printed('tier=back'))
      expect((await label('tier-')).stdout).toMatch(/^configmap\/labeled (un)?labeled\n$/)
      expect((await label('--list')).stdout).toBe('')
    })

    it('change many objects at once', async () => {
      await Promise.all([kubectl.run('create sa many-a'), kubectl.run('create sa many-b')])
      expect(await kubectl.run('label sa many-a many-b group=many')).toEqual(
        printed('serviceaccount/many-a labeled', 'serviceaccount/many-b labeled'),
      )
      expect(await kubectl.run('annotate sa -l group=many note=seen')).toEqual(
        printed('serviceaccount/many-a annotated', 'serviceaccount/many-b annotated'),
      )
    })

    it('accept any text as an annotation, for custom kinds too', async () => {
      expect(await kubectl.pipe(accessKey('annotated', {}), 'create')).toEqual(printed(`${key}/annotated created`))
      expect(await kubectl.run('annotate oak annotated', 'note=hello, world')).toEqual(
        printed(`${key}/annotated annotated`),
      )
      const { stdout } = await kubectl.run('get oak annotated', '-o', 'jsonpath={.metadata.annotations.note}')
      expect(stdout).toBe('hello, world')
    })

    it('refuse invalid keys and values, on either side', async () => {
      await kubectl.run('create configmap strict')
      const [annotation, label] = await Promise.all([
        kubectl.run('annotate cm strict', 'bad key=1'),
        kubectl.run('label cm strict', 'key=bad value'),
      ])
      expect(annotation.code).toBe(1)
      expect(annotation.stderr).toContain("name part must consist of alphanumeric characters, '-', '_' or '.'")
      expect(label.stderr).toContain('error: invalid label value: "key=bad value"')
    })
  })

  describe('patch', () => {
    const stored = async (object: string, jsonpath: string) =>
      (await kubectl.run(`get ${object}`, '-o', `jsonpath=${jsonpath}`)).stdout

    it('strategically, by the keys of lists', async () => {
      await kubectl.run('create service clusterip ports --tcp=80:8080 --tcp=443:8443')
      const patch = '{"spec":{"ports":[{"port":80,"targetPort":9090},{"port":443,"$patch":"delete"}]}}'
      expect(await kubectl.run('patch svc ports -p', patch)).toEqual(printed('service/ports patched'))
      expect(await stored('svc/ports', '{.spec.ports[*].port} {.spec.ports[*].targetPort}')).toBe('80 9090')
      expect(await kubectl.run('patch svc ports -p', patch)).toEqual(printed('service/ports patched (no change)'))
    })

    it('by merge, with null to remove', async () => {
      await kubectl.run('create configmap merged --from-literal=a=1 --from-literal=b=2')
      expect(await kubectl.run('patch cm merged --type=merge -p', '{"data":{"a":null,"c":"3"}}')).toEqual(
        printed('configmap/merged patched'),
      )
      expect(await stored('cm/merged', '{.data}')).toBe('{"b":"2","c":"3"}')
    })

    it('with JSON operations, all or none', async () => {
      await kubectl.run('create configmap operated --from-literal=a=1')
      const patch = (...operations: readonly object[]) =>
        kubectl.run('patch cm operated --type=json -p', JSON.stringify(operations))
      const replace = { op: 'replace', path: '/data/a', value: '2' }
      expect(await patch({ op: 'test', path: '/data/a', value: '1' }, replace)).toEqual(
        printed('configmap/operated patched'),
      )
      const failed = await patch({ ...replace, value: '3' }, { op: 'test', path: '/data/a', value: '4' })
      expect([failed.code, failed.stdout]).toEqual([1, ''])
      expect(failed.stderr).toMatch(
        /^The request is invalid(: the server rejected our request due to an error in our request)?\n$/,
      )
      expect(await stored('cm/operated', '{.data.a}')).toBe('2')
    })

    it('custom kinds with merge and JSON, and kubectl reports that strategic is unsupported', async () => {
      await kubectl.pipe(accessKey('patched', { displayName: 'One' }), 'create')
      const patch = '{"spec":{"displayName":"Two"}}'
      const strategic = await kubectl.run('patch oak patched -p', patch)
      expect([strategic.code, strategic.stdout]).toEqual([1, ''])
      const hint =
        'error: application/strategic-merge-patch+json is not supported by management.platform.internal/v1, Kind=OwnedAccessKey: '
      const reason =
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml\n'
      expect(strategic.stderr).toContain(reason)
      if (kubectl.minor >= 32) expect(strategic.stderr).toBe(hint + reason)
      expect(await kubectl.run('patch oak patched --type=merge -p', patch)).toEqual(printed(`${key}/patched patched`))
      const operation = '[{"op":"add","path":"/spec/ttl","value":60}]'
      expect(await kubectl.run('patch oak patched --type=json -p', operation)).toEqual(
        printed(`${key}/patched patched`),
      )
      expect(await stored('oak/patched', '{.spec}')).toBe('{"displayName":"Two","ttl":60}')
    })

    kubectl.since(24, '--subresource')('the status alone', async () => {
      await kubectl.pipe(accessKey('status', { displayName: 'One' }), 'create')
      const patch = '{"spec":{"displayName":"Two"},"status":{"lastActivity":"2026-01-01T00:00:00Z"}}'
      expect(await kubectl.run('patch oak status --subresource=status --type=merge -p', patch)).toEqual(
        printed(`${key}/status patched`),
      )
      expect(await stored('oak/status', '{.spec.displayName} {.status.lastActivity} {.metadata.generation}')).toBe(
        'One 2026-01-01T00:00:00Z 1',
      )
    })

    it.each([
      [
        'a body that is not JSON',
        'patch cm refused -p',
        '{bad',
        "Error from server (BadRequest): invalid character 'b' looking for beginning of object key string",
      ],
      [
        'operations that are no list',
        'patch cm refused --type=json -p',
        '{"a":1}',
        'Error from server (BadRequest): error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      ],
      [
        'a wrong type',
        'patch cm refused -p',
        '{"data":{"a":5}}',
        'The request is invalid: patch: Invalid value: "map[data:map[a:5]]": cannot convert int64 to string',
      ],
      ['a missing object', 'patch cm nothing -p', '{}', 'Error from server (NotFound): configmaps "nothing" not found'],
    ])('refuses %s', async (_title, words, patch, expected) => {
      await kubectl.run('create configmap refused --from-literal=a=1')
      const { code, stderr } = await kubectl.run(words, patch)
      expect([code, stderr]).toEqual([1, `${expected}\n`])
    })

    it('warns of an unknown field', async () => {
      await kubectl.run('create configmap warned')
      expect(await kubectl.run('patch cm warned --type=merge -p', '{"datas":{}}')).toEqual({
        code: 0,
        stdout: 'configmap/warned patched (no change)\n',
        stderr: 'Warning: unknown field "datas"\n',
      })
    })
  })

  describe('edit', () => {
    it('sends the changes of the editor', async () => {
      await kubectl.pipe(configMap('edited', { a: 'before', b: 'kept' }), 'create')
      await kubectl.pipe(accessKey('edited', { displayName: 'before', ttl: 60 }), 'create')
      const script = `sed -i 's/before/after/' "$1"`
      expect(await kubectl.edit(script, 'cm edited')).toEqual(printed('configmap/edited edited'))
      expect(await kubectl.edit(script, 'oak edited')).toEqual(printed(`${key}/edited edited`))
      const [map, accesskey] = await Promise.all([
        kubectl.run('get cm edited', '-o', 'jsonpath={.data}'),
        kubectl.run('get oak edited', '-o', 'jsonpath={.spec}'),
      ])
      expect([map.stdout, accesskey.stdout]).toEqual(['{"a":"after","b":"kept"}', '{"displayName":"after","ttl":60}'])
    })

    it('sends nothing without a change', async () => {
      await kubectl.run('create configmap untouched')
      expect(await kubectl.edit('true', 'cm untouched')).toEqual({
        code: 0,
        stdout: '',
        stderr: 'Edit cancelled, no changes made.\n',
      })
    })

    it('returns an invalid change to the editor with the reason, and saves it to a file', async () => {
      await kubectl.pipe(accessKey('spoilt', { ttl: 60 }), 'create')
      const script = `cp "$1" "$HOME/seen-by-editor"; sed -i 's/ttl: .*/ttl: -1/' "$1"`
      const { code, stderr } = await kubectl.edit(script, 'oak spoilt')
      expect(code).toBe(1)
      expect(stderr).toContain(`error: ${keys} "spoilt" is invalid\n`)
      expect(stderr).toContain('A copy of your changes has been stored to')
      expect(await kubectl.fileInHome('seen-by-editor')).toMatch(
        /^# \* spec\.ttl: Invalid value: -1: must be greater than or equal to 0$/m,
      )
      expect((await kubectl.run('get oak spoilt', '-o', 'jsonpath={.spec.ttl}')).stdout).toBe('60')
    })

    it('refuses a changed name', async () => {
      await kubectl.run('create configmap renamed')
      const { code, stderr } = await kubectl.edit(`sed -i 's/name: renamed/name: other/' "$1"`, 'cm renamed')
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('At least one of apiVersion, kind and name was changed'),
      ])
    })
  })

  describe('replace', () => {
    it('replaces the whole object', async () => {
      await kubectl.pipe(configMap('replaced', { a: '1', b: '2' }), 'create')
      expect(await kubectl.pipe(configMap('replaced', { a: '9' }), 'replace')).toEqual(
        printed('configmap/replaced replaced'),
      )
      expect((await kubectl.run('get cm replaced', '-o', 'jsonpath={.data}')).stdout).toBe('{"a":"9"}')
    })

    it('with --force deletes and creates', async () => {
      await kubectl.pipe(accessKey('forced', { displayName: 'One' }), 'create')
      const before = await kubectl.run('get oak forced', '-o', 'jsonpath={.metadata.uid}')
      const { code, stdout } = await kubectl.pipe(accessKey('forced', { displayName: 'Two' }), 'replace --force')
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^${key} "forced" deleted.*\n${key}/forced replaced\n$`))
      const after = await kubectl.run('get oak forced', '-o', 'jsonpath={.metadata.uid}')
      expect(after.stdout).not.toBe(before.stdout)
    })

    it('refuses a stale version and a missing object', async () => {
      await kubectl.pipe(accessKey('stale', {}), 'create')
      const stale = await kubectl.pipe(accessKey('stale', {}, { resourceVersion: '1' }), 'replace')
      expect(stale).toEqual(
        refused(
          `Error from server (Conflict): error when replacing "STDIN": Operation cannot be fulfilled on ${keys} "stale": the object has been modified; please apply your changes to the latest version and try again`,
        ),
      )
      expect(await kubectl.pipe(accessKey('absent', {}), 'replace')).toEqual(
        refused(`Error from server (NotFound): error when replacing "STDIN": ${keys} "absent" not found`),
      )
    })
  })
})
