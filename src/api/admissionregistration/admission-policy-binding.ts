import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { checkEach, checkOneOf, checkSubdomain } from '../core/field-checks.ts'
import { repeated } from '../core/repeated.ts'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidFieldAs,
  notSupportedField,
  requiredField,
} from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { validatePathSegment } from '../names.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { ParamRef, ValidatingAdmissionPolicyBinding } from '../types/admissionregistration-v1.ts'
import { validateMatchResources } from './match-resources.ts'
import { withMatchDefaults } from './rule-defaults.ts'

const actions = ['Audit', 'Deny', 'Warn']

/** Puts a policy into effect. */
export const validatingAdmissionPolicyBinding = builtinKind<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  message: 'k8s.io.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  columns: [
    nameColumn,
    column('PolicyName', 'Policy that the binding applies.', ({ spec }) => spec.policyName ?? ''),
    column('ParamRef', 'Parameters of the policy.', ({ spec }) => parametersText(spec.paramRef)),
    ageColumn,
  ],
  strategy: { defaults: withDefaults, validate: validateBinding },
})

function withDefaults(object: ValidatingAdmissionPolicyBinding): ValidatingAdmissionPolicyBinding {
  const { matchResources } = object.spec
  if (matchResources === undefined) return object
  return { ...object, spec: { ...object.spec, matchResources: withMatchDefaults(matchResources) } }
}

function parametersText(parameters: ParamRef | undefined): string {
  if (parameters === undefined) return '<unset>'
  const { namespace, name, selector } = parameters
  const what = selector === undefined ? (name ?? '') : '*'
  return namespace === undefined ? `*/${what}` : `${namespace}/${what}`
}

function validateBinding({ spec }: ValidatingAdmissionPolicyBinding): readonly FieldError[] {
  const { policyName = '', validationActions = [], paramRef } = spec
  const isTaken = repeated(validationActions)
  return [
    ...(policyName === '' ? [requiredField('spec.policyName')] : checkSubdomain('spec.policyName', policyName)),
    ...(paramRef === undefined ? [] : validateParameters('spec.paramRef', paramRef)),
    ...validateMatchResources('spec.matchResources', spec.matchResources),
    ...validationActions.flatMap((action, index) => [
      ...(actions.includes(action) ? [] : [notSupportedField(`spec.validationActions[${index}]`, action, actions)]),
      ...(isTaken[index] ? [duplicateField(`spec.validationActions[${index}]`, action)] : []),
    ]),
    ...(validationActions.includes('Deny') && validationActions.includes('Warn')
      ? [
          invalidFieldAs(
            'spec.validationActions',
            `[]admissionregistration.ValidationAction{${validationActions.map(quoted).join(', ')}}`,
            'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ),
        ]
      : []),
    ...(validationActions.length === 0
      ? [requiredField('spec.validationActions', 'at least one validation action is required')]
      : []),
  ]
}

function validateParameters(
  field: string,
  { name = '', selector, parameterNotFoundAction }: ParamRef,
): readonly FieldError[] {
  const isBoth = name !== '' && selector !== undefined
  const both = (member: string) => forbiddenField(`${field}.${member}`, 'name and selector are mutually exclusive')
  return [
    ...checkEach(`${field}.name`, name, validatePathSegment(name)),
    ...(isBoth ? [both('name')] : []),
    ...(selector === undefined ? [] : validateLabelSelector(`${field}.selector`, selector)),
    ...(isBoth ? [both('selector')] : []),
    ...(name === '' && selector === undefined
      ? [requiredField(field, 'one of name or selector must be specified')]
      : []),
    ...checkOneOf(`${field}.parameterNotFoundAction`, parameterNotFoundAction, ['Deny', 'Allow']),
  ]
}
