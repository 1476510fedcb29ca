import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, integerColumn, nameColumn } from '../core/columns.ts'
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../types/admissionregistration-v1.ts'
import { withRuleDefaults } from './rule-defaults.ts'
import { validateWebhooks } from './webhook-validation.ts'

const common = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  categories: ['api-extensions'],
  namespaced: false,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
} as const

export const mutatingWebhookConfiguration = builtinKind<MutatingWebhookConfiguration>({
  ...common,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  message: 'k8s.io.api.admissionregistration.v1.MutatingWebhookConfiguration',
  columns: [
    nameColumn,
    integerColumn('Webhooks', 'Number of webhooks.', ({ webhooks = [] }) => webhooks.length),
    ageColumn,
  ],
  strategy: {
    defaults: (object) =>
      object.webhooks === undefined
        ? object
        : { ...object, webhooks: object.webhooks.map(withDefaults).map(withReinvocation) },
    validate: ({ webhooks = [] }) => validateWebhooks('webhooks', webhooks),
  },
})

export const validatingWebhookConfiguration = builtinKind<ValidatingWebhookConfiguration>({
  ...common,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  message: 'k8s.io.api.admissionregistration.v1.ValidatingWebhookConfiguration',
  columns: [
    nameColumn,
    integerColumn('Webhooks', 'Number of webhooks.', ({ webhooks = [] }) => webhooks.length),
    ageColumn,
  ],
  strategy: {
    defaults: (object) =>
      object.webhooks === undefined ? object : { ...object, webhooks: object.webhooks.map(withDefaults) },
    validate: ({ webhooks = [] }) => validateWebhooks('webhooks', webhooks),
  },
})

function withDefaults<T extends ValidatingWebhook | MutatingWebhook>(webhook: T): T {
  const { clientConfig, rules } = webhook
  return {
    ...webhook,
    ...(clientConfig.service && {
      clientConfig: { ...clientConfig, service: { ...clientConfig.service, port: clientConfig.service.port ?? 443 } },
    }),
    ...(rules && { rules: rules.map(withRuleDefaults) }),
    failurePolicy: webhook.failurePolicy ?? 'Fail',
    matchPolicy: webhook.matchPolicy ?? 'Equivalent',
    namespaceSelector: webhook.namespaceSelector ?? {},
    objectSelector: webhook.objectSelector ?? {},
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
  }
}

function withReinvocation(webhook: MutatingWebhook): MutatingWebhook {
  return { ...webhook, reinvocationPolicy: webhook.reinvocationPolicy ?? 'Never' }
}
