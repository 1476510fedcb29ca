import { expect, it } from 'vitest'
import { configMap } from './objects.ts'
import { cellsOf } from './outcome.ts'
import { eachKubectl } from './suite.ts'

eachKubectl('get --watch', (kubectl) => {
  it('prints existing objects and then every change as a row', async () => {
    await kubectl.pipe(configMap('seen', { a: '1' }, { labels: { watched: 'rows' } }), 'create')
    const watch = kubectl.start('get cm -w -l watched=rows')
    await watch.until((stdout) => expect(cellsOf(stdout)).toHaveLength(2))
    await kubectl.pipe(configMap('seen', { a: '1', b: '2' }, { labels: { watched: 'rows' } }), 'replace')
    await kubectl.pipe(configMap('later', {}, { labels: { watched: 'rows' } }), 'create')
    await kubectl.run('delete cm seen')
    const expected = [
      ['NAME', 'DATA', 'AGE'],
      ['seen', '1', '<age>'],
      ['seen', '2', '<age>'],
      ['later', '0', '<age>'],
      ['seen', '2', '<age>'],
    ]
    await watch.until((stdout) => expect(cellsOf(stdout)).toEqual(expected))
    await watch.stop()
  })

  it('prints event types on request', async () => {
    const watch = kubectl.start('get cm -w -l watched=events --output-watch-events -v=6')
    await watch.untilItWatches()
    const labels = { labels: { watched: 'events' } }
    await kubectl.pipe(configMap('known', {}, labels), 'create')
    await watch.until((stdout) => expect(cellsOf(stdout)[1]?.[0]).toBe('ADDED'))
    await kubectl.run('label cm known new=label')
    await kubectl.run('label cm known watched-')
    await kubectl.run('delete cm known')
    await watch.until((stdout) =>
      expect(cellsOf(stdout).map(([event, name]) => [event, name])).toEqual([
        ['EVENT', 'NAME'],
        ['ADDED', 'known'],
        ['MODIFIED', 'known'],
        ['DELETED', 'known'],
      ]),
    )
    await watch.stop()
  })

  it('prints only changes with --watch-only, of one object', async () => {
    await kubectl.run('create configmap single')
    const watch = kubectl.start('get cm single --watch-only -o name -v=6')
    await watch.untilItWatches()
    await kubectl.run('create configmap another')
    await kubectl.run('label cm single changed=yes')
    await watch.until((stdout) => expect(stdout).toBe('configmap/single\n'))
    await watch.stop()
  })

  it('streams whole objects', async () => {
    await kubectl.run('create configmap streamed')
    const watch = kubectl.start('get cm streamed -w -o jsonpath={.data.a};')
    await watch.until((stdout) => expect(stdout).toBe(';'))
    await kubectl.run('patch cm streamed -p', '{"data":{"a":"1"}}')
    await kubectl.run('patch cm streamed -p', '{"data":{"a":"2"}}')
    await watch.until((stdout) => expect(stdout).toBe(';1;2;'))
    await watch.stop()
  })

  it('is refused to callers without the right to watch', async () => {
    const { code, stderr } = await kubectl.asAlice('get cm -w')
    expect([code, stderr]).toEqual([1, expect.stringContaining('User "alice" cannot list resource "configmaps"')])
  })
})
