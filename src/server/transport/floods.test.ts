import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { type FloodingConnection, Floods } from './floods.ts'

const cut: string[] = []
let floods: Floods
beforeEach(() => {
  cut.length = 0
  floods = new Floods()
})

function connection(name: string, network: string, caller?: string): FloodingConnection {
  const made = { network, caller, cut: () => cut.push(name) }
  floods.add(made)
  return made
}

it('cuts all connections of a party that floods on three of them at once, and none of others', () => {
  const flooding = ['a', 'b', 'c'].map((name) => connection(name, '192.0.2.1'))
  connection('idle', '192.0.2.1')
  connection('of a caller who is known', '192.0.2.1', 'ann')
  connection('elsewhere', '192.0.2.2')
  for (const each of flooding.slice(0, 2)) floods.report(each)
  expect(cut).toEqual([])
  for (const each of flooding.slice(2)) floods.report(each)
  expect(cut).toEqual(['a', 'b', 'c', 'idle'])
})

it('counts a connection once, however many of its streams flood', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((name) => connection(name, '192.0.2.1'))
  for (const each of [first, first, first, second, second]) if (each !== undefined) floods.report(each)
  expect(cut).toEqual([])
  if (third !== undefined) floods.report(third)
  expect(cut).toEqual(['a', 'b', 'c'])
})

it('cuts those of a caller in one network', () => {
  const flooding = ['a', 'b', 'c'].map((name) => connection(name, '192.0.2.1', 'ann'))
  connection('of another', '192.0.2.1', 'bob')
  connection('of a stranger', '192.0.2.1')
  connection('elsewhere', '192.0.2.2', 'ann')
  for (const each of flooding) floods.report(each)
  expect(cut).toEqual(['a', 'b', 'c'])
})

it('forgets the previous iteration, and closed connections', async () => {
  const [first, ...others] = ['a', 'b', 'c'].map((name) => connection(name, '192.0.2.1'))
  for (const each of others) floods.report(each)
  await nextTurn()
  if (first !== undefined) floods.report(first)
  expect(cut).toEqual([])
  for (const each of others) {
    floods.remove(each)
    floods.report(each)
  }
  expect(cut).toEqual(['a'])
})
