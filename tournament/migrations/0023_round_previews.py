"""Adds previews of rounds, pairs set by hand, and when a paired round is released."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0022_field_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PairRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='PreviewSwap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='RoundPreview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('seed_text', models.CharField(max_length=100)),
                ('basis', models.JSONField()),
                ('pairings', models.JSONField()),
                ('made_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='tournament',
            name='round_release',
            field=models.CharField(choices=[('at_once', 'At Once'), ('after_preview', 'After Preview')], db_default='at_once', default='at_once', max_length=15),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('round_release__in', ['at_once', 'after_preview'])), name='round_release_is_known'),
        ),
        migrations.AddField(
            model_name='pairrule',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='pairrule',
            name='first',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry'),
        ),
        migrations.AddField(
            model_name='pairrule',
            name='second',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry'),
        ),
        migrations.AddField(
            model_name='pairrule',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pair_rules', to='tournament.tournament'),
        ),
        migrations.AddField(
            model_name='previewswap',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='previewswap',
            name='first',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry'),
        ),
        migrations.AddField(
            model_name='previewswap',
            name='second',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry'),
        ),
        migrations.AddField(
            model_name='roundpreview',
            name='made_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='roundpreview',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='round_previews', to='tournament.tournament'),
        ),
        migrations.AddField(
            model_name='previewswap',
            name='preview',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='swaps', to='tournament.roundpreview'),
        ),
        migrations.AddConstraint(
            model_name='pairrule',
            constraint=models.UniqueConstraint(fields=('tournament', 'first', 'second', 'number'), name='one_rule_for_a_pair_in_a_round'),
        ),
        migrations.AddConstraint(
            model_name='pairrule',
            constraint=models.UniqueConstraint(condition=models.Q(('number__gt', 0)), fields=('tournament', 'number', 'first'), name='first_is_paired_once'),
        ),
        migrations.AddConstraint(
            model_name='pairrule',
            constraint=models.UniqueConstraint(condition=models.Q(('number__gt', 0)), fields=('tournament', 'number', 'second'), name='second_is_paired_once'),
        ),
        migrations.AddConstraint(
            model_name='pairrule',
            constraint=models.CheckConstraint(condition=models.Q(('first__lt', models.F('second'))), name='pair_rule_in_order_of_ids'),
        ),
        migrations.AddConstraint(
            model_name='pairrule',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='pair_rule_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='roundpreview',
            constraint=models.UniqueConstraint(fields=('tournament',), name='one_round_preview_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='roundpreview',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 2)), name='round_1_is_released_with_the_draw'),
        ),
        migrations.AddConstraint(
            model_name='previewswap',
            constraint=models.CheckConstraint(condition=models.Q(('first', models.F('second')), _negated=True), name='two_players_are_swapped'),
        ),
        migrations.AddConstraint(
            model_name='previewswap',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='preview_swap_has_a_reason'),
        ),
    ]
