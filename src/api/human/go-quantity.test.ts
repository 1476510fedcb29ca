import { expect, it } from 'vitest'
import { goQuantity } from './go-quantity.ts'

it.each([
  ['2', 'value:2, scale:0', 's:"2", Format:"DecimalSI"'],
  ['500m', 'value:500, scale:-3', 's:"500m", Format:"DecimalSI"'],
  ['1Gi', 'value:1073741824, scale:0', 's:"1Gi", Format:"BinarySI"'],
  ['1e3', 'value:1000, scale:0', 's:"1e3", Format:"DecimalExponent"'],
  [0, 'value:0, scale:0', 's:"0", Format:"DecimalSI"'],
])('%s is printed like the Go struct', (amount, value, written) => {
  expect(goQuantity(amount)).toBe(
    `resource.Quantity{i:resource.int64Amount{${value}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, ${written}}`,
  )
})
