import Type from 'typebox'
import { changeProvider } from '../../../actions/console/settings.ts'
import { lockProviderRecord } from '../../../actions/setup/lock-records.ts'
import { unknownBranch } from '../../../errors.ts'
import { omitUndefined } from '../../../lib/objects.ts'
import { branches, isBranch } from '../../../rules/references.ts'
import { getProvider, ProviderReply, providerChanges, providerRecord } from '../../setup/providers.ts'
import { providerOf } from '../../wire/callers/permit.ts'
import { crmRoutes } from '../../wire/route.ts'
import { wrap } from '../../wire/wrapper.ts'

// For integrators. It stands here because a change of the time zone moves opening hours and closures, too.

export const updateProvider = crmRoutes('A. Setup')({
  method: 'PUT',
  path: '/crms/:crmId/provider/:reference',
  operationId: 'changeProvider',
  summary: 'Update Provider',
  description:
    'Changes only the fields that are sent; null clears an optional field. Reference, owner and Account stay. A new time zone moves opening hours and closures to the same local times. The latest 20 former slugs keep leading to the new one.',
  body: Type.Partial(Type.Object(providerChanges), { title: 'ProviderUpdate' }),
  ifMatch: { record: getProvider, lock: lockProviderRecord },
  replies: { 200: ProviderReply },
  errors: ['unknown-branch', 'address-taken'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service.db, caller, params.reference)
    if (body.branch && !isBranch(body.branch)) throw unknownBranch(body.branch, branches)
    const change = omitUndefined(body) as Parameters<typeof changeProvider>[1]
    const saved = await changeProvider({ service, actor: caller.actor, provider }, change)
    return wrap({ provider: providerRecord(saved) })
  },
})
