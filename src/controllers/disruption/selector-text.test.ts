import { expect, it } from 'vitest'
import { goSelectorText } from './selector-text.ts'

it.each([
  [undefined, 'nil'],
  [{}, '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}'],
  [
    { matchLabels: { b: '2', a: '1' } },
    '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{},}',
  ],
  [
    {
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['x', 'y'] },
        { key: 'b', operator: 'Exists' },
      ],
    },
    '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:a,Operator:In,Values:[x y],},LabelSelectorRequirement{Key:b,Operator:Exists,Values:[],},},}',
  ],
])('%j is printed as %s', (selector, text) => {
  expect(goSelectorText(selector)).toBe(text)
})
