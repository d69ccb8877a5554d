import { describe, expect, it } from 'vitest'
import { columnOf } from '../../src/db/base/driver/names.ts'
import { account } from '../../src/entities/account.ts'
import { participation } from '../../src/entities/appointment.ts'
import { customer } from '../../src/entities/customer.ts'
import type { Entity } from '../../src/entities/entity.ts'
import { product } from '../../src/entities/product.ts'
import { provider } from '../../src/entities/provider.ts'
import { resource } from '../../src/entities/resource.ts'
import { user } from '../../src/entities/user.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const entities: Entity[] = [account, customer, participation, product, provider, resource, user]

describe.each(entities)('the fields of $table', ({ table, fields }) => {
  it('are columns that allow null where the field does', async () => {
    const rows = await holdfast.query(
      `select column_name as name, is_nullable = 'YES' or column_default is not null as can_be_cleared,
        is_nullable = 'YES' as nullable
       from information_schema.columns where table_name = $1 and table_schema = current_schema()`,
      [table],
    )
    const columns = new Map(rows.map(row => [row.name, row]))
    for (const [name, field] of Object.entries(fields).filter(([_key, field]) => !field.isElsewhere)) {
      const column = columns.get(field.column ?? columnOf(name))
      expect(column, name).toBeDefined()
      if (field.input) expect(column.nullable, name).toBe(field.empty === null || field.isNullable === true)
      else if (field.isPersonal) expect(column.can_be_cleared, name).toBe(true)
    }
  })
})
