import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { gone } from '../../api/error.ts'
import type { Document, WatchEvent } from '../../registry/contract.ts'
import { UnreadMemory } from '../fairness/unread-memory.ts'
import type { Output } from '../http.ts'
import { plainJson } from '../request/negotiate.ts'
import { lineEncoder } from './event-encoder.ts'
import { EventStream } from './event-stream.ts'
import { FlushQueue } from './flush-queue.ts'
import { SharedFrames } from './shared-frames.ts'

const view = { media: plainJson, table: { version: 'v1', includeObject: 'Metadata', nowMs: 0 } } as const

const plenty = { perOwner: 1_000_000_000, total: 1_000_000_000 }

function stream(queue = new FlushQueue(), unread = new UnreadMemory(plenty)): EventStream {
  const encoder = lineEncoder(configMap, view, { nowMs: () => 0, frames: new SharedFrames() })
  return new EventStream({ encoder, queue, count: () => {}, openMemory: (cut) => unread.open('ann', cut) })
}

const document: Document = {
  namespace: 'default',
  name: 'a',
  resourceVersion: '1',
  labels: undefined,
  json: Buffer.from('{}'),
  itemJson: Buffer.from('{}'),
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
}

function added(line: string): WatchEvent {
  return { type: 'ADDED', document, parts: [Buffer.from(line)] }
}

/** An event for an object that existed when the watch began. */
function initial(line: string): WatchEvent {
  return { type: 'ADDED', document, parts: [Buffer.from(line)], isUnshared: true }
}

/** A receiver that accepts everything until it is told to be slow. */
class Receiver implements Output {
  readonly isGone = false
  readonly written: Buffer[] = []
  state: 'open' | 'ended' | 'destroyed' = 'open'
  isSlow = false
  #release = (): void => {}

  write(chunk: Buffer): boolean {
    this.written.push(chunk)
    return !this.isSlow
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve
    })
  }

  release(): void {
    this.isSlow = false
    this.#release()
  }

  end(): void {
    this.state = 'ended'
  }

  destroy(): void {
    this.state = 'destroyed'
  }

  get texts(): readonly string[] {
    return this.written.map(String)
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
}

describe('an event stream', () => {
  it('holds events until the head is sent, then writes those of one iteration together', async () => {
    const [events, receiver] = [stream(), new Receiver()]
    events.send([added('1\n')])
    await nextTurn()
    events.start(receiver)
    events.send([added('2\n'), added('3\n')])
    await nextTurn()
    expect(receiver.texts).toEqual(['1\n2\n3\n'])
  })

  it('passes on a single line without copying it', async () => {
    const [events, receiver] = [stream(), new Receiver()]
    const line = Buffer.from('1\n')
    const event = { type: 'ADDED' as const, document, parts: [line] }
    events.start(receiver)
    events.send([event])
    await nextTurn()
    expect(receiver.written[0]).toBe(line)
  })

  it('joins equal lines once for all watchers', async () => {
    const queue = new FlushQueue()
    const receivers = [new Receiver(), new Receiver()]
    const lines = [added('1\n'), added('2\n')]
    for (const receiver of receivers) {
      const events = stream(queue)
      events.start(receiver)
      events.send(lines)
    }
    await nextTurn()
    expect(receivers[0]?.written[0]).toBe(receivers[1]?.written[0])
  })

  it('writes as much at a time as a connection may hold, and the next when that is taken', async () => {
    const [events, receiver] = [stream(), new Receiver()]
    receiver.isSlow = true
    events.start(receiver)
    const long = `${'x'.repeat(100_000)}\n`
    events.send([added(long), added('1\n'), added('2\n')])
    await nextTurn()
    expect(receiver.written.map(({ length }) => length)).toEqual([65_536])
    receiver.release()
    await nextTurn()
    expect(receiver.texts.join('')).toBe(`${long}1\n2\n`)
  })

  it('reports the memory that it holds for a slow receiver: pending writes and unshared lines', async () => {
    const unread = new UnreadMemory(plenty)
    const [events, receiver] = [stream(new FlushQueue(), unread), new Receiver()]
    receiver.isSlow = true
    events.start(receiver)
    events.send([added('x'.repeat(1_000))])
    expect(unread.bytes).toBe(0)
    await nextTurn()
    expect(unread.bytes).toBe(1_000)
    events.send([added('y'.repeat(1_000)), initial('z'.repeat(500))])
    expect(unread.bytes).toBe(1_500)
    receiver.release()
    await nextTurn()
    expect(unread.bytes).toBe(0)
    events.send([initial('z'.repeat(500))])
    events.finish()
    expect(unread.bytes).toBe(0)
  })

  it('is cut when too much is held, and releases all of it', async () => {
    const unread = new UnreadMemory({ perOwner: 1_000, total: 1_000_000 })
    const [events, receiver] = [stream(new FlushQueue(), unread), new Receiver()]
    receiver.isSlow = true
    events.start(receiver)
    events.send([initial('x'.repeat(900))])
    expect(receiver.state).toBe('open')
    events.send([initial('x'.repeat(900))])
    expect(receiver.state).toBe('destroyed')
    expect([unread.bytes, unread.cuts]).toEqual([0, 1])
    expect(events.send([initial('x')])).toBe(true)
    expect(unread.bytes).toBe(0)
  })

  it('stops at a receiver that is behind and continues when it has caught up', async () => {
    const [events, receiver] = [stream(), new Receiver()]
    events.start(receiver)
    receiver.isSlow = true
    expect(events.send([added('1\n')])).toBe(true)
    await nextTurn()
    expect(events.send([added('2\n')])).toBe(false)
    const drained = events.drained()
    await nextTurn()
    expect(receiver.texts).toEqual(['1\n'])
    receiver.release()
    await drained
    expect(receiver.texts).toEqual(['1\n', '2\n'])
    expect(events.send([added('3\n')])).toBe(true)
  })

  it('asks to wait when much is queued before the head is sent', () => {
    const events = stream()
    expect(events.send([added('x'.repeat(1024 * 1024))])).toBe(false)
  })

  it('ends cleanly with its last line', async () => {
    const [events, receiver] = [stream(), new Receiver()]
    events.start(receiver)
    events.send([added('1\n')])
    events.finish(
      lineEncoder(configMap, view, { nowMs: () => 0, frames: new SharedFrames() }).error(
        gone('too old resource version: 1 (5)').status,
      ),
    )
    expect(receiver.texts.join('')).toBe(
      '1\n{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (5)","reason":"Expired","code":410}}\n',
    )
    expect(receiver.state).toBe('ended')
  })

  it('ends at once when it was over before the head was sent', () => {
    const [events, receiver] = [stream(), new Receiver()]
    events.send([added('1\n')])
    events.finish()
    events.start(receiver)
    expect(receiver).toMatchObject({ state: 'ended', texts: ['1\n'] })
  })

  it('does not wait for a receiver that is behind when it ends', async () => {
    const [events, receiver] = [stream(), new Receiver()]
    events.start(receiver)
    receiver.isSlow = true
    events.send([added('1\n')])
    await nextTurn()
    events.finish()
    expect(receiver.state).toBe('destroyed')
  })

  it('sends an error event as a Status in any form', () => {
    const partial = { ...view, media: { ...plainJson, as: 'PartialObjectMetadata' as const } }
    const { status } = gone('too old')
    for (const each of [view, partial, { ...view, media: { ...plainJson, as: 'Table' as const } }]) {
      const [line] = lineEncoder(configMap, each, { nowMs: () => 0, frames: new SharedFrames() }).encode({
        type: 'ERROR',
        status,
      })
      expect(JSON.parse(String(line))).toEqual({ type: 'ERROR', object: status })
    }
  })
})
