"""The routes and profiles that a new site begins with: rulebook, section 6."""

from django.db import migrations

# slug, English, Chinese, mode, first, then, specialised, strict
ROUTES = [
    ("scholar", "Papers", "论文", "scholar", ["serper-scholar"], ["pubmed"], True, True),
    ("pubmed", "Literature", "文献", "academic", ["pubmed"], ["europepmc"], True, False),
    (
        "trials", "Trials", "临床试验", "academic",
        ["clinicaltrials"], ["general site:chictr.org.cn"], True, False,
    ),
    (
        "regulatory", "Regulators", "监管", "general",
        ["openfda", "general site:fda.gov"],
        ["general site:ema.europa.eu site:nmpa.gov.cn site:pmda.go.jp"], True, False,
    ),
    (
        "patents", "Patents", "专利", "patents",
        ["serper-patents"], ["general site:patents.google.com"], True, True,
    ),
    (
        "news", "News", "新闻", "news",
        ["serper-news"], ["tavily search_depth=advanced topic=news time_range=year"], True, True,
    ),
    (
        "company", "Companies", "公司", "general",
        ["exa"], ["tavily search_depth=advanced time_range=year"], False, False,
    ),
    (
        "general", "Web", "网页", "general",
        ["exa"], ["tavily search_depth=advanced time_range=year", "brave"], False, False,
    ),
]
# slug, English, Chinese, routes, language
PROFILES = [
    ("biomed_literature", "Biomedical literature", "生物医学文献", ["scholar", "pubmed", "trials"], ""),
    ("patent_heavy", "Patents first", "专利为主", ["patents", "scholar"], ""),
    ("china_market", "Market in China", "中国市场", ["news", "general", "regulatory"], "zh"),
]


def fill(apps, schema_editor):
    alias = schema_editor.connection.alias
    route, profile = apps.get_model("search", "Route"), apps.get_model("search", "Profile")
    route.objects.using(alias).bulk_create(
        [
            route(
                slug=slug, name=name, name_zh=chinese, mode=mode, first=first, then=then,
                specialized=special, strict=strict, position=10 * number,
            )
            for number, (slug, name, chinese, mode, first, then, special, strict) in enumerate(
                ROUTES, start=1
            )
        ]
    )
    profile.objects.using(alias).bulk_create(
        [
            profile(
                slug=slug, name=name, name_zh=chinese, routes=routes, language=language,
                position=10 * number,
            )
            for number, (slug, name, chinese, routes, language) in enumerate(PROFILES, start=1)
        ]
    )


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0002_routes_calls_results'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
