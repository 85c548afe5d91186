import type { Selectable } from 'kysely';
import { findingSchema, watchRuleSchema, type WatchFinding, type WatchRule } from './watched.ts';
import type { Database } from '../database/database.ts';
import { fromStored, readMoment, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { readNewest } from '../database/pages.ts';
import type { Tables } from '../schema/tables.ts';

export interface WatchRuleRow {
  id: string;
  rule: WatchRule;
  createdBy: string | null;
  createdAt: Date;
  checkedAt: Date | null;
}

export interface AlertRow {
  id: string;
  rule: WatchRuleRow;
  value: string;
  finding: WatchFinding;
  raisedAt: Date;
  endedAt: Date | null;
  acknowledgedBy: string | null;
  acknowledgedAt: Date | null;
  note: string | null;
}

export interface AlertStore {
  keepRule(rule: Pick<WatchRuleRow, 'id' | 'rule' | 'createdBy'>): Promise<void>;
  listRules(): Promise<readonly WatchRuleRow[]>;
  findRule(id: string): Promise<WatchRuleRow | undefined>;
  markChecked(id: string, at: Date): Promise<void>;
  /** With its alerts. */
  removeRule(id: string): Promise<void>;
  /** False where one stands already for the same rule and group: it says what was found last. */
  raiseAlert(alert: Pick<AlertRow, 'id' | 'value' | 'finding'> & { rule: string }): Promise<boolean>;
  endAlert(id: string): Promise<void>;
  /** Those that stand first, then the newest. */
  listAlerts(options: {
    standing?: boolean | undefined;
    limit: number;
    after?: string | null;
  }): Promise<{ rows: readonly AlertRow[]; next: string | null }>;
  findAlert(id: string): Promise<AlertRow | undefined>;
  acknowledgeAlert(id: string, by: string | null, note: string | null): Promise<void>;
  /** What nobody was told of yet, each given to one caller only. */
  takeUntold(): Promise<readonly { alert: AlertRow; event: 'raised' | 'ended' }[]>;
}

export function alertStore({ db, write }: Database): AlertStore {
  const selectAlerts = () =>
    db
      .selectFrom('alerts')
      .innerJoin('watch_rules', 'watch_rules.id', 'alerts.rule')
      .selectAll('alerts')
      .select([
        'watch_rules.rule as words',
        'watch_rules.version as rule_version',
        'watch_rules.created_by',
        'watch_rules.created_at',
        'watch_rules.checked_at',
      ]);
  const take = (told: 'told_at' | 'ended_told_at') =>
    write((trx) => {
      const query = trx
        .updateTable('alerts')
        .set({ [told]: new Date().toISOString() })
        .where(told, 'is', null);
      return (told === 'told_at' ? query : query.where('ended_at', 'is not', null)).returning('id').execute();
    });

  return {
    async keepRule({ id, rule, createdBy }) {
      const row: Tables['watch_rules'] = {
        id,
        version: storedVersion,
        rule: toStored(rule),
        created_by: toStorable(createdBy),
        created_at: new Date().toISOString(),
        checked_at: null,
      };
      await write((trx) => trx.insertInto('watch_rules').values(row).execute());
    },
    async listRules() {
      const rows = await db.selectFrom('watch_rules').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(readRule);
    },
    async findRule(id) {
      const row = await db.selectFrom('watch_rules').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readRule(row);
    },
    async markChecked(id, at) {
      const checked_at = at.toISOString();
      await write((trx) => trx.updateTable('watch_rules').set({ checked_at }).where('id', '=', id).execute());
    },
    async removeRule(id) {
      await write((trx) => trx.deleteFrom('watch_rules').where('id', '=', id).execute());
    },
    async raiseAlert({ id, rule, value, finding }) {
      const row = {
        id,
        version: storedVersion,
        rule,
        value: toStorable(value),
        finding: toStored(finding),
        raised_at: new Date().toISOString(),
      };
      return write(async (trx) => {
        const inserted = await trx
          .insertInto('alerts')
          .values(row)
          .onConflict((conflict) => conflict.columns(['rule', 'value']).where('ended_at', 'is', null).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted) return true;
        await trx
          .updateTable('alerts')
          .set({ finding: row.finding })
          .where('rule', '=', rule)
          .where('value', '=', row.value)
          .where('ended_at', 'is', null)
          .execute();
        return false;
      });
    },
    async endAlert(id) {
      const ended_at = new Date().toISOString();
      await write((trx) =>
        trx.updateTable('alerts').set({ ended_at }).where('id', '=', id).where('ended_at', 'is', null).execute(),
      );
    },
    listAlerts({ standing, ...options }) {
      let query = selectAlerts();
      if (standing !== undefined) query = query.where('alerts.ended_at', standing ? 'is' : 'is not', null);
      return readNewest(query, ['alerts.raised_at', 'alerts.id'], options, 'alerts', readAlert);
    },
    async findAlert(id) {
      const row = await selectAlerts().where('alerts.id', '=', id).executeTakeFirst();
      return row && readAlert(row);
    },
    async acknowledgeAlert(id, by, note) {
      const row = {
        acknowledged_by: toStorable(by ?? 'somebody'),
        acknowledged_at: new Date().toISOString(),
        note: toStorable(note),
      };
      await write((trx) => trx.updateTable('alerts').set(row).where('id', '=', id).execute());
    },
    async takeUntold() {
      const found: { alert: AlertRow; event: 'raised' | 'ended' }[] = [];
      for (const [told, event] of [
        ['told_at', 'raised'],
        ['ended_told_at', 'ended'],
      ] as const)
        for (const { id } of await take(told)) {
          const row = await selectAlerts().where('alerts.id', '=', id).executeTakeFirst();
          if (row) found.push({ alert: readAlert(row), event });
        }
      return found;
    },
  };
}

function readRule(row: Selectable<Tables['watch_rules']>): WatchRuleRow {
  return {
    id: row.id,
    rule: watchRuleSchema.parse(fromStored('rule', row.version, row.rule)),
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    checkedAt: readMoment(row.checked_at),
  };
}

function readAlert(
  row: Selectable<Tables['alerts']> & { words: string; rule_version: number } & Pick<
      Tables['watch_rules'],
      'created_by' | 'created_at' | 'checked_at'
    >,
): AlertRow {
  return {
    id: row.id,
    rule: readRule({ ...row, id: row.rule, rule: row.words, version: row.rule_version }),
    value: row.value,
    finding: findingSchema.parse(fromStored('finding', row.version, row.finding)),
    raisedAt: new Date(row.raised_at),
    endedAt: readMoment(row.ended_at),
    acknowledgedBy: row.acknowledged_by,
    acknowledgedAt: readMoment(row.acknowledged_at),
    note: row.note,
  };
}
